// One dimension, divisions for the place, 64 bits.
//! launch transpose<<<ceil_div(rows*cols, 256), 256>>>(x, y, rows, cols)
__global__ void transpose(const float* x, float* y, int rows, int cols) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= (long long)rows * cols) return;
    long long row = i / cols, col = i - row * cols;
    y[col * rows + row] = x[i];
}
