// The elements moved as unsigned words, prefetched into L2.
__global__ void transpose(const float* x, float* y, int rows, int cols) {
    const unsigned* from = reinterpret_cast<const unsigned*>(x);
    unsigned* to = reinterpret_cast<unsigned*>(y);
    int col = blockIdx.x * 32 + threadIdx.x;
    for (int row = blockIdx.y * 32 + threadIdx.y; row < min(rows, (int)blockIdx.y * 32 + 32); row += 8) {
        if (col >= cols) break;
        if (row + 8 < rows) asm volatile("prefetch.global.L2 [%0];" ::"l"(from + (size_t)(row + 8) * cols + col));
        to[(size_t)col * rows + row] = __ldlu(from + (size_t)row * cols + col);
    }
}
