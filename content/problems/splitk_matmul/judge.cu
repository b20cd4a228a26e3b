// Expected values of splitk_matmul in double: up to 64 blocks for each element, which take turns along k.
//! scratch sums double m*n*min(64, ceil_div(k, 4096))
//! scratch totals double m*n*min(64, ceil_div(k, 4096))
//! launch partial_sums<<<dim3(m*n, min(64, ceil_div(k, 4096))), 64>>>(a, b, sums, totals, n, k)
//! launch expect_product<<<ceil_div(m*n, 256), 256>>>(sums, totals, expected_c, magnitude_c, m*n, min(64, ceil_div(k, 4096)))

__global__ void partial_sums(const float* a, const float* b, double* sums, double* totals, int n, int k) {
    __shared__ double part[64], size[64];
    const float *left = a + blockIdx.x / n * (long long)k, *right = b + blockIdx.x % n * (long long)k;
    double sum = 0.0, total = 0.0;
    for (long long p = blockIdx.y * 64LL + threadIdx.x; p < k; p += gridDim.y * 64) {
        double term = double(left[p]) * right[p];
        sum += term;
        total += fabs(term);
    }
    part[threadIdx.x] = sum;
    size[threadIdx.x] = total;
    for (int half = 32; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            part[threadIdx.x] += part[threadIdx.x + half];
            size[threadIdx.x] += size[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0) {
        sums[blockIdx.y * gridDim.x + blockIdx.x] = part[0];
        totals[blockIdx.y * gridDim.x + blockIdx.x] = size[0];
    }
}

__global__ void expect_product(const double* sums, const double* totals, double* expected, double* magnitude,
                               int elements, int slices) {
    int e = blockIdx.x * 256 + threadIdx.x;
    if (e >= elements) return;
    double sum = 0.0, total = 0.0;
    for (int s = 0; s < slices; ++s) {
        sum += sums[s * elements + e];
        total += totals[s * elements + e];
    }
    expected[e] = sum;
    magnitude[e] = total;
}
