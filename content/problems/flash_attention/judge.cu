// Expected values of flash_attention in double: a warp for each query, a lane for each number of a row.
//! launch expect_attention<<<dim3(ceil_div(n, 8), heads), 256>>>(q, k, v, expected_o, magnitude_o, n)

__device__ double warp_sum(double value) {
    for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
    return value;
}

__global__ void expect_attention(const float* q, const float* k, const float* v, double* expected, double* magnitude, int n) {
    const int i = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (i >= n) return;
    const long long head = blockIdx.y * (long long)n * 32, at = head + i * 32LL + lane;
    const double own = q[at] / sqrt(32.0);
    double top = -1e300;
    for (long long j = 0; j < n; ++j) top = fmax(top, warp_sum(own * k[head + j * 32 + lane]));
    double total = 0.0, uncertain = 0.0, sum = 0.0, size = 0.0, weighted = 0.0;
    for (long long j = 0; j < n; ++j) {
        const double product = own * k[head + j * 32 + lane], value = v[head + j * 32 + lane];
        const double below = warp_sum(product) - top, share = exp(below);
        const double weight = share * (1.0 + warp_sum(fabs(product)) - below);
        total += share;
        uncertain += weight;
        sum += share * value;
        size += share * fabs(value);
        weighted += weight * fabs(value);
    }
    expected[at] = sum / total;
    magnitude[at] = weighted / total + uncertain / total * (size / total);
}
