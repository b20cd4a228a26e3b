// verdict: wrong_answer
// The pointer of b is not moved: every left factor meets the first right one.

__global__ void batched_matmul(const float* a, const float* b, float* c, int batch, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    a += (long long)blockIdx.z * m * k;
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * n + col];
    c[((long long)blockIdx.z * m + row) * n + col] = sum;
}
