// Expected values of sigmoid in double, from the form in which no exponential overflows.
//! launch expect_sigmoid<<<ceil_div(n, 256), 256>>>(x, expected_y, n)

__global__ void expect_sigmoid(const float* x, double* expected, int n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    double small = exp(-fabs(double(x[i])));
    expected[i] = (x[i] >= 0.0f ? 1.0 : small) / (1.0 + small);
}

// Inputs between -10 and 10: in the shared range from -1 to 1 the function is almost a straight line.
__global__ void fill_x(float* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        data[i] = float(bits >> 40) * (20.0f / 16777216.0f) - 10.0f;
    }
}
