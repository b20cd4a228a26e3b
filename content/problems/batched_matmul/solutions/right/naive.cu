// One thread, one element.
//
// Idea: the grid's third axis is the number of the product.
// Cost: two loads for each multiply-add, most of them from L1.
// Why the strides are three: a matrix of a has m*k numbers, one of b k*n, one of c m*n.

__global__ void batched_matmul(const float* a, const float* b, float* c, int batch, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    a += (long long)blockIdx.z * m * k;
    b += (long long)blockIdx.z * k * n;
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * n + col];
    c[((long long)blockIdx.z * m + row) * n + col] = sum;
}
