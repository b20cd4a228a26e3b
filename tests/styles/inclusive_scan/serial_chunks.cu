// Each thread scans a chunk, one thread scans the chunks' sums.
//! launch inclusive_scan<<<1, 128>>>(x, y, n)
__global__ void inclusive_scan(const int* x, int* y, int n) {
    __shared__ int sums[129];
    const int each = (n + 127) / 128, from = min(n, (int)threadIdx.x * each), to = min(n, from + each);
    int sum = 0;
    for (int i = from; i < to; ++i) sum += x[i];
    sums[threadIdx.x + 1] = sum;
    if (threadIdx.x == 0) sums[0] = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 1; k <= 128; ++k) sums[k] += sums[k - 1];
    __syncthreads();
    sum = sums[threadIdx.x];
    for (int i = from; i < to; ++i) y[i] = sum += x[i];
}
