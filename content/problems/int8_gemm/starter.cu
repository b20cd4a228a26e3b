// INT8 GEMM: c[row, col] = sum over p of a[row, p] * b[col, p]; both inputs row-major with rows of length k.
//
// Started as int8_gemm<<<dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16)>>>(a, b, c, m, n, k): a thread for each
// element of c. k is a multiple of 16, so that four neighbours fit a word and __dp4a can multiply them at once.

__global__ void int8_gemm(const signed char* a, const signed char* b, int* c, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    int sum = 0;
    // fill in: add up the k products, at first one by one
    c[(long long)row * n + col] = sum;
}
