// Hillis and Steele's scan in shared memory, one block, a carry from tile to tile.
//
// Idea: in step d = 1, 2, 4 ... every element adds the one d places to its left; after 8 steps each of the 256
// holds the sum of all before it.
// Cost: log2(256) additions per element instead of one, and two barriers per step; one multiprocessor does it all.
// Why two barriers: all must have read the old values before anyone writes a new one, and all must have written
// before the next step reads.

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
            y[i] = carry + tile[threadIdx.x];
        }
        carry += tile[255];
        __syncthreads();
    }
}
