// Expected values of dense_sigmoid in double, one warp per row.
//! launch expect_layer<<<ceil_div(m, 8), 256>>>(w, x, b, expected_y, magnitude_y, m, n)

__global__ void expect_layer(const float* w, const float* x, const float* b, double* expected, double* magnitude, int m,
                             int n) {
    int row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= m) return;
    double sum = 0.0, total = 0.0;
    for (int j = threadIdx.x % 32; j < n; j += 32) {
        double term = double(w[(long long)row * n + j]) * x[j];
        sum += term;
        total += fabs(term);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
        total += __shfl_down_sync(0xffffffffu, total, offset);
    }
    if (threadIdx.x % 32 != 0) return;
    double z = sum + b[row];
    double small = exp(-fabs(z));
    expected[row] = (z >= 0.0 ? 1.0 : small) / (1.0 + small);
    magnitude[row] = 1.0 + (total + fabs(double(b[row]))) / 4.0;
}

// Weights that keep the sums of 8192 products near 0, where the sigmoid is not flat.
__global__ void fill_w(float* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        data[i] = (float(bits >> 40) * (2.0f / 16777216.0f) - 1.0f) * 0.03125f;
    }
}
