//! launch normalise<5><<<rows, 256>>>(x, gamma, beta, y, cols)
// The row in registers, a template for how many; __syncthreads_count as a barrier that counts.
template <int kEach>
__global__ void __launch_bounds__(256) normalise(const float* __restrict__ x, const float* __restrict__ gamma,
                                                 const float* __restrict__ beta, float* __restrict__ y, int cols) {
    __shared__ float part[8];
    float v[kEach], sum = 0;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        int j = threadIdx.x + k * 256;
        v[k] = j < cols ? x[(size_t)blockIdx.x * cols + j] : 0;
        sum += v[k];
    }
    auto all = [&](float s) {
#pragma unroll
        for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(~0u, s, d);
        if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
        __syncthreads();
        s = 0;
        for (int w = 0; w < 8; ++w) s += part[w];
        __syncthreads_count(s > 0);
        return s;
    };
    const float mean = all(sum) / cols;
    sum = 0;
#pragma unroll
    for (int k = 0; k < kEach; ++k) sum += threadIdx.x + k * 256 < cols ? (v[k] - mean) * (v[k] - mean) : 0.0f;
    const float scale = rsqrtf(all(sum) / cols + 1e-5f);
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        int j = threadIdx.x + k * 256;
        if (j < cols) y[(size_t)blockIdx.x * cols + j] = (v[k] - mean) * scale * gamma[j] + beta[j];
    }
}
