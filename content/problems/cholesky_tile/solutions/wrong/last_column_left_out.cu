// verdict: wrong_answer
// Each column subtracts all columns before it but the one just left of it.

__global__ void cholesky_tile(const float* a, float* l, int batch, int n) {
    const int matrix = blockIdx.x * blockDim.x + threadIdx.x;
    if (matrix >= batch) return;
    const float* from = a + (long long)matrix * n * n;
    float* to = l + (long long)matrix * n * n;
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < j; ++i) to[i * n + j] = 0.0f;
        for (int i = j; i < n; ++i) {
            float rest = from[i * n + j];
            for (int k = 0; k < j - 1; ++k) rest -= to[i * n + k] * to[j * n + k];
            to[i * n + j] = i == j ? sqrtf(rest) : rest / to[j * n + j];
        }
    }
}
