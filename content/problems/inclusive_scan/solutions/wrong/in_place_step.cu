// verdict: race
// One barrier per step is not enough: while one thread reads its left neighbour, that neighbour may already have
// written the sum of this step.

__global__ void inclusive_scan(const int* x, int* y, int n) {
    __shared__ int tile[256];
    int carry = 0;
    for (int start = 0; start < n; start += 256) {
        int i = start + threadIdx.x;
        tile[threadIdx.x] = i < n ? x[i] : 0;
        __syncthreads();
        for (int d = 1; d < 256; d *= 2) {
            if (threadIdx.x >= d) {
                tile[threadIdx.x] += tile[threadIdx.x - d];
            }
            __syncthreads();
        }
        if (i < n) {
            y[i] = carry + tile[threadIdx.x];
        }
        carry += tile[255];
        __syncthreads();
    }
}
