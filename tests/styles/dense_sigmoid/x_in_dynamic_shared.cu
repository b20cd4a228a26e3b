//! launch dense_sigmoid<<<ceil_div(m, 64), 64, 4*n>>>(w, x, b, y, m, n)
// The vector in dynamic shared memory, a thread a row.
extern __shared__ float vec[];
__global__ void dense_sigmoid(const float* w, const float* x, const float* b, float* y, int m, int n) {
    for (int j = threadIdx.x; j < n; j += blockDim.x) vec[j] = x[j];
    __syncthreads();
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m) return;
    float z = b[row];
    for (int j = 0; j < n; ++j) z += w[(size_t)row * n + j] * vec[j];
    y[row] = z >= 0 ? 1 / (1 + expf(-z)) : expf(z) / (1 + expf(z));
}
