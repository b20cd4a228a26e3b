// verdict: memory_error
// Steps by rows instead of cols from one row to the next. Square matrices hide it; here wide ones mix their rows
// and tall ones leave the array.

__global__ void matrix_add(const float* a, const float* b, float* c, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        int position = row * rows + col;
        c[position] = a[position] + b[position];
    }
}
