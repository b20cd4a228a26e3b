// Expected values of layer_norm in double: one block per row, mean first, then the variance.
//! launch expect_layer_norm<<<rows, 256>>>(x, gamma, beta, expected_y, magnitude_y, cols)

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

__global__ void expect_layer_norm(const float* x, const float* gamma, const float* beta, double* expected,
                                  double* magnitude, int cols) {
    const long long row = blockIdx.x * (long long)cols;
    double sum = 0.0, total = 0.0, squares = 0.0;
    for (int j = threadIdx.x; j < cols; j += 256) {
        sum += x[row + j];
        total += fabs(double(x[row + j]));
    }
    const double mean = block_sum(sum) / cols;
    const double mean_size = block_sum(total) / cols;
    for (int j = threadIdx.x; j < cols; j += 256) squares += (x[row + j] - mean) * (x[row + j] - mean);
    const double inverse = 1.0 / sqrt(block_sum(squares) / cols + 1e-5);
    for (int j = threadIdx.x; j < cols; j += 256) {
        double value = x[row + j];
        expected[row + j] = (value - mean) * inverse * gamma[j] + beta[j];
        magnitude[row + j] = (fabs(value) + mean_size) * inverse * fabs(double(gamma[j])) + fabs(double(beta[j]));
    }
}
