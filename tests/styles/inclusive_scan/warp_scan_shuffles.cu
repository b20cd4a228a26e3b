// Shuffles up in each warp, the warps' sums by the first.
//! launch inclusive_scan<<<1, 1024>>>(x, y, n)
__device__ int scan(int v, int lane) {
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        int left = __shfl_up_sync(~0u, v, d);
        v += lane >= d ? left : 0;
    }
    return v;
}
__global__ void inclusive_scan(const int* x, int* y, int n) {
    __shared__ int sums[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, carry = 0;
    for (int start = 0; start < n; start += 1024) {
        int i = start + threadIdx.x;
        int v = scan(i < n ? x[i] : 0, lane);
        if (lane == 31) sums[warp] = v;
        __syncthreads();
        if (warp == 0) sums[lane] = scan(sums[lane], lane);
        __syncthreads();
        if (warp) v += sums[warp - 1];
        if (i < n) y[i] = v + carry;
        carry += sums[31];
        __syncthreads();
    }
}
