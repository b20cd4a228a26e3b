// Matrix multiplication: c[row, col] = sum over p of a[row, p] * b[p, col], everything row-major.
//
// Started as matmul<<<dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16)>>>(a, b, c, m, n, k): one thread for one
// element of c, x along a row. The indices and the bounds check are there; the dot product is not.

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = 0.0f;
        // fill in: add up the k products; element (row, p) of a is a[row * k + p]
        c[row * n + col] = sum;
    }
}
