// One thread for each matrix, column by column.
//
// Idea: the definition. What is known of L stands in l, where its own thread has written it.
// Cost: lanes are a matrix apart, so each access touches 32 sectors for 128 useful bytes, and every number of L is read again for
// each column behind it.
// Why one thread may read back what it wrote: its own stores come in its own order, no barrier is needed.

__global__ void cholesky_tile(const float* a, float* l, int batch, int n) {
    const int matrix = blockIdx.x * blockDim.x + threadIdx.x;
    if (matrix >= batch) return;
    const float* from = a + (long long)matrix * n * n;
    float* to = l + (long long)matrix * n * n;
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < j; ++i) to[i * n + j] = 0.0f;
        for (int i = j; i < n; ++i) {
            float rest = from[i * n + j];
            for (int k = 0; k < j; ++k) rest -= to[i * n + k] * to[j * n + k];
            to[i * n + j] = i == j ? sqrtf(rest) : rest / to[j * n + j];
        }
    }
}
