// verdict: wrong_answer
// An exclusive scan: the element itself is left out, and the first result is 0.

__global__ void inclusive_scan(const int* x, int* y, int n) {
    __shared__ int tile[256];
    int carry = 0;
    for (int start = 0; start < n; start += 256) {
        int i = start + threadIdx.x;
        tile[threadIdx.x] = i < n ? x[i] : 0;
        __syncthreads();
        for (int d = 1; d < 256; d *= 2) {
            int left = threadIdx.x >= d ? tile[threadIdx.x - d] : 0;
            __syncthreads();
            tile[threadIdx.x] += left;
            __syncthreads();
        }
        if (i < n) {
            y[i] = carry + (threadIdx.x > 0 ? tile[threadIdx.x - 1] : 0);
        }
        carry += tile[255];
        __syncthreads();
    }
}
