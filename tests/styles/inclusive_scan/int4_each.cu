// Four elements a thread in an int4 where they lie together.
__global__ void inclusive_scan(const int* x, int* y, int n) {
    __shared__ int warps[8];
    int t = threadIdx.x, lane = t & 31, carry = 0;
    for (int start = 0; start < n; start += 1024) {
        int i = start + t * 4;
        int4 v = i + 3 < n ? *reinterpret_cast<const int4*>(x + i)
                           : make_int4(i < n ? x[i] : 0, i + 1 < n ? x[i + 1] : 0, i + 2 < n ? x[i + 2] : 0, 0);
        v.y += v.x, v.z += v.y, v.w += v.z;
        int sum = v.w;
        for (int d = 1; d < 32; d *= 2) {
            int left = __shfl_up_sync(0xffffffffu, sum, d);
            if (lane >= d) sum += left;
        }
        if (lane == 31) warps[t / 32] = sum;
        __syncthreads();
        int before = carry + sum - v.w;
        for (int w = 0; w < 8; ++w) {
            if (w < t / 32) before += warps[w];
            carry += warps[w];
        }
        v.x += before, v.y += before, v.z += before, v.w += before;
        if (i + 3 < n) {
            *reinterpret_cast<int4*>(y + i) = v;
        } else {
            if (i < n) y[i] = v.x;
            if (i + 1 < n) y[i + 1] = v.y;
            if (i + 2 < n) y[i + 2] = v.z;
        }
        __syncthreads();
    }
}
