// One thread for each system, row by row.
//
// Idea: the definition. The solution so far stands in x, where its own thread has written it.
// Cost: lanes are a matrix apart, so each load touches 32 sectors for 128 useful bytes, and x is read again for every row.
// Why one thread may read back what it wrote: its own stores come in its own order, no barrier is needed.

__global__ void triangular_solve(const float* l, const float* b, float* x, int batch, int n) {
    const int system = blockIdx.x * blockDim.x + threadIdx.x;
    if (system >= batch) return;
    const float* rows = l + (long long)system * n * n;
    const float* right = b + (long long)system * n;
    float* solution = x + (long long)system * n;
    for (int i = 0; i < n; ++i) {
        float rest = right[i];
        for (int j = 0; j < i; ++j) rest -= rows[i * n + j] * solution[j];
        solution[i] = rest / rows[i * n + i];
    }
}
