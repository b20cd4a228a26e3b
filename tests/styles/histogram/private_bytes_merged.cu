// 64 threads with private 16-bit counters in dynamic shared memory.
//! launch histogram<<<1, 64, 64*256*2>>>(x, counts, n)
__global__ void histogram(const int* x, int* counts, int n) {
    extern __shared__ unsigned short own[];
    for (int v = 0; v < 256; ++v) own[v * 64 + threadIdx.x] = 0;
    for (int i = threadIdx.x; i < n; i += 64) ++own[x[i] * 64 + threadIdx.x];
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += 64) {
        int sum = 0;
        for (int t = 0; t < 64; ++t) sum += own[v * 64 + (t + v) % 64];
        counts[v] = sum;
    }
}
