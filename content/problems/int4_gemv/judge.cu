// Expected values of int4_gemv in double: a block of 64 threads for each row, one number of each group for each thread.
//! launch expect_product<<<rows, 64>>>(w, scale, x, expected_y, magnitude_y, groups)

#include <cuda_fp16.h>

__global__ void expect_product(const unsigned* w, const half* scale, const half* x, double* expected, double* magnitude,
                               int groups) {
    __shared__ double sums[64], sizes[64];
    const int t = threadIdx.x;
    double sum = 0.0, size = 0.0;
    for (int g = 0; g < groups; ++g) {
        unsigned word = w[(blockIdx.x * (long long)groups + g) * 8 + t / 8];
        double weight = (int(word >> t % 8 * 4 & 15) - 8) * double(__half2float(scale[blockIdx.x * (long long)groups + g]));
        double term = weight * double(__half2float(x[g * 64 + t]));
        sum += term;
        size += fabs(term);
    }
    sums[t] = sum;
    sizes[t] = size;
    for (int half_ = 32; half_ > 0; half_ /= 2) {
        __syncthreads();
        if (t < half_) {
            sums[t] += sums[t + half_];
            sizes[t] += sizes[t + half_];
        }
    }
    if (t == 0) {
        expected[blockIdx.x] = sums[0];
        magnitude[blockIdx.x] = sizes[0];
    }
}

__global__ void fill_w(unsigned* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        data[i] = unsigned(bits >> 32);
    }
}
