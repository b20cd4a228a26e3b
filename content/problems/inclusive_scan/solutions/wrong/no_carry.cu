// verdict: wrong_answer
// Each tile is scanned on its own; the sum of the tiles before it is forgotten. Right up to 256 elements.

//! launch inclusive_scan<<<ceil_div(n, 256), 256>>>(x, y, n)

__global__ void inclusive_scan(const int* x, int* y, int n) {
    __shared__ int tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int left = threadIdx.x >= d ? tile[threadIdx.x - d] : 0;
        __syncthreads();
        tile[threadIdx.x] += left;
        __syncthreads();
    }
    if (i < n) {
        y[i] = tile[threadIdx.x];
    }
}
