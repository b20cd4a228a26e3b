// Cholesky factors of many small matrices: L L^T = A for each, L lower triangular with a positive diagonal.
//
// Started with one thread for each matrix. Column j of L needs the columns before it; as it stands each column ignores them.

__global__ void cholesky_tile(const float* a, float* l, int batch, int n) {
    const int matrix = blockIdx.x * blockDim.x + threadIdx.x;
    if (matrix >= batch) return;
    const float* from = a + (long long)matrix * n * n;
    float* to = l + (long long)matrix * n * n;
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < j; ++i) to[i * n + j] = 0.0f;
        for (int i = j; i < n; ++i) {
            float rest = from[i * n + j];
            // fill in: subtract to[i * n + k] * to[j * n + k] for all k before j
            to[i * n + j] = i == j ? sqrtf(rest) : rest / to[j * n + j];
        }
    }
}
