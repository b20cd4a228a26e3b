// Sums in double, indices through structured bindings.
struct Place {
    int row, col;
};
__device__ Place place() { return {(int)(blockIdx.y * blockDim.y + threadIdx.y), (int)(blockIdx.x * blockDim.x + threadIdx.x)}; }
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    const auto [row, col] = place();
    if (row >= m || col >= n) return;
    double sum = 0;
    for (int p = 0; p < k; ++p) sum += (double)a[row * k + p] * b[p * n + col];
    c[row * n + col] = sum;
}
