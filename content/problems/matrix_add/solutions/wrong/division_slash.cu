// verdict: compile_error
// The slash in the index is U+2215, a division sign of typography that some pages put into code. It looks the same
// and is no operator.

__global__ void matrix_add(const float* a, const float* b, float* c, int rows, int cols) {
    int position = blockIdx.x * blockDim.x + threadIdx.x;
    int row = position ∕ cols;
    if (row < rows) {
        c[position] = a[position] + b[position];
    }
}
