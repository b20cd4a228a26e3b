// One thread, one element, numbered in two dimensions.
//
// Idea: x runs along a row, y from row to row; no division is needed to find out where a thread stands.
// Cost: 12 bytes per element. Each warp reads one stretch of 128 bytes of a row.
// Why blocks of 32 x 8: 32 along x is one warp per row piece, so coalescing does not depend on the matrix; 256
// threads per block let 8 blocks share a multiprocessor.

__global__ void matrix_add(const float* a, const float* b, float* c, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        long long position = (long long)row * cols + col;  // rows * cols may pass 2^31
        c[position] = a[position] + b[position];
    }
}
