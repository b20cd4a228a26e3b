// verdict: wrong_answer
// The sum is a short: three products of 127 * 127 are more than it holds.

__global__ void int8_gemm(const signed char* a, const signed char* b, int* c, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    short sum = 0;
    for (int p = 0; p < k; ++p) sum += a[(long long)row * k + p] * b[(long long)col * k + p];
    c[(long long)row * n + col] = sum;
}
