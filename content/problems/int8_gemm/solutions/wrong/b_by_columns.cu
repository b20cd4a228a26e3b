// verdict: wrong_answer
// b is read as if it were k x n; its rows are the columns of the right factor.

__global__ void int8_gemm(const signed char* a, const signed char* b, int* c, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    int sum = 0;
    for (int p = 0; p < k; ++p) sum += a[(long long)row * k + p] * b[(long long)p * n + col];
    c[(long long)row * n + col] = sum;
}
