// Many small triangular systems: L x = b for each of them, L lower triangular.
//
// Started with one thread for each system. The rows are solved from the first to the last; as it stands each row ignores the
// ones before it.

__global__ void triangular_solve(const float* l, const float* b, float* x, int batch, int n) {
    int system = blockIdx.x * blockDim.x + threadIdx.x;
    if (system >= batch) return;
    const float* rows = l + (long long)system * n * n;
    const float* right = b + (long long)system * n;
    float* solution = x + (long long)system * n;
    for (int i = 0; i < n; ++i) {
        float rest = right[i];
        // fill in: subtract rows[i * n + j] * solution[j] for all j before i
        solution[i] = rest / rows[i * n + i];
    }
}
