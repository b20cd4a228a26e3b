// verdict: wrong_answer
// A float counts every whole number up to 2^24 only; beyond that the last bit of a sum is lost.

__global__ void int8_gemm(const signed char* a, const signed char* b, int* c, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += a[(long long)row * k + p] * b[(long long)col * k + p];
    c[(long long)row * n + col] = int(sum);
}
