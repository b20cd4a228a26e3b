// verdict: wrong_answer
// Nothing is divided by the diagonal, as if all its numbers were 1.

__global__ void triangular_solve(const float* l, const float* b, float* x, int batch, int n) {
    const int system = blockIdx.x * blockDim.x + threadIdx.x;
    if (system >= batch) return;
    const float* rows = l + (long long)system * n * n;
    const float* right = b + (long long)system * n;
    float* solution = x + (long long)system * n;
    for (int i = 0; i < n; ++i) {
        float rest = right[i];
        for (int j = 0; j < i; ++j) rest -= rows[i * n + j] * solution[j];
        solution[i] = rest;
    }
}
