// Expected values of group_norm in double: one block per group, mean first, then the variance.
//! launch expect_group_norm<<<dim3(groups, batch), 256>>>(x, gamma, beta, expected_y, magnitude_y, per_group, pixels)

__device__ double block_sum(double value) {
    __shared__ double values[256];
    __syncthreads();
    values[threadIdx.x] = value;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    }
    __syncthreads();
    return values[0];
}

__global__ void expect_group_norm(const float* x, const float* gamma, const float* beta, double* expected,
                                  double* magnitude, int per_group, int pixels) {
    const int length = per_group * pixels;
    const long long start = (blockIdx.y * (long long)gridDim.x + blockIdx.x) * length;
    double sum = 0.0, total = 0.0, squares = 0.0;
    for (int i = threadIdx.x; i < length; i += 256) {
        sum += x[start + i];
        total += fabs(double(x[start + i]));
    }
    const double mean = block_sum(sum) / length;
    const double mean_size = block_sum(total) / length;
    for (int i = threadIdx.x; i < length; i += 256) squares += (x[start + i] - mean) * (x[start + i] - mean);
    const double inverse = 1.0 / sqrt(block_sum(squares) / length + 1e-5);
    for (int i = threadIdx.x; i < length; i += 256) {
        const int channel = blockIdx.x * per_group + i / pixels;
        const double value = x[start + i], scale = gamma[channel], shift = beta[channel];
        expected[start + i] = (value - mean) * inverse * scale + shift;
        magnitude[start + i] = (fabs(value) + mean_size) * inverse * fabs(scale) + fabs(shift);
    }
}

// Channels differ in mean and spread, so that a factor from the wrong channel or a mean of one channel alone shows.
__global__ void fill_x(float* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        const int channel = int(i / 4096 % 7);
        data[i] = (float(bits >> 40) / 16777216.0f - 0.5f) * (1 + channel) + 0.25f * channel;
    }
}
