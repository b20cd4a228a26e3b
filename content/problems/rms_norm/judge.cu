// Expected values of rms_norm in double: one block per row.
//! launch expect_rms_norm<<<rows, 256>>>(x, gamma, expected_y, cols)

#include <cuda_fp16.h>

__global__ void expect_rms_norm(const half* x, const half* gamma, double* expected, int cols) {
    __shared__ double sums[256];
    const long long row = blockIdx.x * (long long)cols;
    double sum = 0.0;
    for (int j = threadIdx.x; j < cols; j += 256) {
        double value = __half2float(x[row + j]);
        sum += value * value;
    }
    sums[threadIdx.x] = sum;
    for (int half_ = 128; half_ > 0; half_ /= 2) {
        __syncthreads();
        if (threadIdx.x < half_) sums[threadIdx.x] += sums[threadIdx.x + half_];
    }
    __syncthreads();
    const double inverse = 1.0 / sqrt(sums[0] / cols + 1e-5);
    for (int j = threadIdx.x; j < cols; j += 256) {
        expected[row + j] = double(__half2float(x[row + j])) * inverse * double(__half2float(gamma[j]));
    }
}
