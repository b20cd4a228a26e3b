// Expected value of reduce_sum in double, in two passes of fixed order: the same bits in every run.
//! scratch partial_sum double 1024
//! scratch partial_magnitude double 1024
//! launch sum_strided<<<1024, 256>>>(x, partial_sum, partial_magnitude, n)
//! launch sum_partials<<<1, 32>>>(partial_sum, partial_magnitude, expected_out, magnitude_out)

__device__ double warp_sum(double value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;
}

__global__ void sum_strided(const float* x, double* partial_sum, double* partial_magnitude, int n) {
    __shared__ double sums[8], magnitudes[8];
    double sum = 0.0, magnitude = 0.0;
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        sum += x[i];
        magnitude += fabs(double(x[i]));
    }
    sum = warp_sum(sum);
    magnitude = warp_sum(magnitude);
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = sum;
        magnitudes[threadIdx.x / 32] = magnitude;
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int warp = 1; warp < 8; ++warp) {
        sum += sums[warp];
        magnitude += magnitudes[warp];
    }
    partial_sum[blockIdx.x] = sum;
    partial_magnitude[blockIdx.x] = magnitude;
}

__global__ void sum_partials(const double* partial_sum, const double* partial_magnitude, double* expected,
                             double* magnitude) {
    double sum = 0.0, total = 0.0;
    for (int i = threadIdx.x; i < 1024; i += 32) {
        sum += partial_sum[i];
        total += partial_magnitude[i];
    }
    sum = warp_sum(sum);
    total = warp_sum(total);
    if (threadIdx.x == 0) {
        expected[0] = sum;
        magnitude[0] = total;
    }
}
