// Expected values of batched_matmul in double: one thread for each element.
//! launch expect_products<<<ceil_div(batch*m*n, 256), 256>>>(a, b, expected_c, magnitude_c, batch, m, n, k)

__global__ void expect_products(const float* a, const float* b, double* expected, double* magnitude, int batch, int m,
                                int n, int k) {
    const long long at = blockIdx.x * 256LL + threadIdx.x;
    if (at >= (long long)batch * m * n) return;
    const long long col = at % n, row = at / n;  // row of all matrices, one below the other
    const float* right = b + row / m * ((long long)k * n) + col;
    double sum = 0.0, total = 0.0;
    for (int p = 0; p < k; ++p) {
        double term = double(a[row * k + p]) * right[(long long)p * n];
        sum += term;
        total += fabs(term);
    }
    expected[at] = sum;
    magnitude[at] = total;
}
