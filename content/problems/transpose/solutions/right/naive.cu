// Coalesced on one side only.
//
// Idea: each thread moves four elements from their place to their new place.
// Cost: reads are coalesced (a warp reads 128 bytes in a row), writes are not: 32 threads write 4 bytes each into 32
// different rows of y. Sectors are 32 bytes, so up to eight times the bytes are touched; the L2 cache joins some of
// them before they reach memory.
// Why writes rather than reads: either side has to suffer, and a thread does not wait for its writes.

__global__ void transpose(const float* x, float* y, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    int row0 = blockIdx.y * 32 + threadIdx.y;
    if (col >= cols) return;
    for (int row = row0; row < row0 + 32 && row < rows; row += 8) {
        y[(long long)col * rows + row] = x[(long long)row * cols + col];
    }
}
