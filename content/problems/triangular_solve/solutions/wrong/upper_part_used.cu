// verdict: wrong_answer
// The matrix is read by columns: what should be below the diagonal is what stands above it, where the numbers have no meaning.

__global__ void triangular_solve(const float* l, const float* b, float* x, int batch, int n) {
    const int system = blockIdx.x * blockDim.x + threadIdx.x;
    if (system >= batch) return;
    const float* rows = l + (long long)system * n * n;
    const float* right = b + (long long)system * n;
    float* solution = x + (long long)system * n;
    for (int i = 0; i < n; ++i) {
        float rest = right[i];
        for (int j = 0; j < i; ++j) rest -= rows[j * n + i] * solution[j];
        solution[i] = rest / rows[i * n + i];
    }
}
