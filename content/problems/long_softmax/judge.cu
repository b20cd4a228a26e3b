// Expected values of long_softmax in double: one block per row, three plain passes.
//! launch expect_softmax<<<rows, 256>>>(x, expected_y, magnitude_y, cols)

template <typename Join>
__device__ double block_join(double value, Join join) {
    __shared__ double values[256];
    __syncthreads();
    values[threadIdx.x] = value;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) values[threadIdx.x] = join(values[threadIdx.x], values[threadIdx.x + half]);
    }
    __syncthreads();
    return values[0];
}

__global__ void expect_softmax(const float* x, double* expected, double* magnitude, int cols) {
    const long long row = blockIdx.x * (long long)cols;
    double top = -1e300, sum = 0.0;
    for (int j = threadIdx.x; j < cols; j += 256) top = fmax(top, double(x[row + j]));
    top = block_join(top, [](double p, double q) { return fmax(p, q); });
    for (int j = threadIdx.x; j < cols; j += 256) sum += exp(x[row + j] - top);
    sum = block_join(sum, [](double p, double q) { return p + q; });
    for (int j = threadIdx.x; j < cols; j += 256) {
        double below = x[row + j] - top;
        expected[row + j] = exp(below) / sum;
        magnitude[row + j] = exp(below) / sum * (1.0 - below) + 1e-30;
    }
}

// Inputs between -4 and 4. With a wider range most terms would be smaller than half a rounding of their sum, and a
// plain running sum in float would lose all of them.
__global__ void fill_x(float* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        data[i] = float(bits >> 40) * (8.0f / 16777216.0f) - 4.0f;
    }
}
