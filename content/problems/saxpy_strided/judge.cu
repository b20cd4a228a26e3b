// Expected values of saxpy_strided in double: the updated elements and, between them, what was there before.
//! launch expect_saxpy<<<ceil_div((n - 1)*stride + 1, 256), 256>>>(alpha, x, y, expected_y, magnitude_y, n, stride)

__global__ void expect_saxpy(float alpha, const float* x, const float* y, double* expected, double* magnitude, int n,
                             int stride) {
    long long position = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (position > (n - 1LL) * stride) return;
    double term = position % stride == 0 ? double(alpha) * x[position] : 0.0;
    expected[position] = term + y[position];
    magnitude[position] = fabs(term) + fabs(double(y[position]));
}
