// verdict: barrier
// The barriers stand inside the branch of the threads that have a left neighbour; the others never arrive.

__global__ void inclusive_scan(const int* x, int* y, int n) {
    __shared__ int tile[256];
    int carry = 0;
    for (int start = 0; start < n; start += 256) {
        int i = start + threadIdx.x;
        tile[threadIdx.x] = i < n ? x[i] : 0;
        __syncthreads();
        for (int d = 1; d < 256; d *= 2) {
            if (threadIdx.x >= d) {
                int left = tile[threadIdx.x - d];
                __syncthreads();
                tile[threadIdx.x] += left;
                __syncthreads();
            }
        }
        if (i < n) {
            y[i] = carry + tile[threadIdx.x];
        }
        carry += tile[255];
        __syncthreads();
    }
}
