// Many small matrix products: c[z] = a[z] b[z] for every z.
//
// Started with 16 x 16 threads for each tile of a result, and a grid that is three-dimensional: blockIdx.z is the number of
// the product. As it stands every product is made of the first two matrices.

__global__ void batched_matmul(const float* a, const float* b, float* c, int batch, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    // fill in: where do the matrices of product blockIdx.z begin?
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * n + col];
    c[((long long)blockIdx.z * m + row) * n + col] = sum;
}
