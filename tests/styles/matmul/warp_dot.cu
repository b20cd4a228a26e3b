//! launch matmul<<<dim3(n, m), 32>>>(a, b, c, m, n, k)
// A warp for each element; the sum by shuffles.
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    float sum = 0;
    for (int p = threadIdx.x; p < k; p += 32) sum += a[blockIdx.y * k + p] * b[p * n + blockIdx.x];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0) c[blockIdx.y * n + blockIdx.x] = sum;
}
