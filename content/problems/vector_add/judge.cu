// Expected values of vector_add in double: the sum of two floats is exact there unless they are 2^29 apart.
//! launch expect_sum<<<ceil_div(n, 256), 256>>>(a, b, expected_c, magnitude_c, n)

__global__ void expect_sum(const float* a, const float* b, double* expected, double* magnitude, int n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    expected[i] = double(a[i]) + double(b[i]);
    magnitude[i] = fabs(double(a[i])) + fabs(double(b[i]));
}
