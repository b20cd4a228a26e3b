// verdict: memory_error
// All three pointers move by m*n. That is right for square matrices, and reads behind the end of others.

__global__ void batched_matmul(const float* a, const float* b, float* c, int batch, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    const long long start = (long long)blockIdx.z * m * n;
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += a[start + row * k + p] * b[start + p * n + col];
    c[start + row * n + col] = sum;
}
