// Welford's update in a structure with operator+=, joined over the lanes of one warp.
//! launch layer_norm<<<rows, 32>>>(x, gamma, beta, y, rows, cols)
struct Moments {
    float count = 0, mean = 0, m2 = 0;
    __device__ void operator+=(float v) {
        count += 1;
        float d = v - mean;
        mean += d / count;
        m2 += d * (v - mean);
    }
    __device__ void operator+=(const Moments& o) {
        float n = count + o.count;
        if (n == 0) return;
        float d = o.mean - mean;
        mean += d * (o.count / n);
        m2 += o.m2 + d * d * (count * o.count / n);
        count = n;
    }
};
__global__ void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols) {
    const float* from = x + (size_t)blockIdx.x * cols;
    Moments all;
    for (int j = threadIdx.x; j < cols; j += 32) all += from[j];
    for (int d = 16; d > 0; d /= 2) {
        Moments other;
        other.count = __shfl_xor_sync(~0u, all.count, d);
        other.mean = __shfl_xor_sync(~0u, all.mean, d);
        other.m2 = __shfl_xor_sync(~0u, all.m2, d);
        all += other;
    }
    float mean = __shfl_sync(~0u, all.mean, 0), scale = rsqrtf(__shfl_sync(~0u, all.m2, 0) / cols + 1e-5f);
    for (int j = threadIdx.x; j < cols; j += 32) y[(size_t)blockIdx.x * cols + j] = (from[j] - mean) * scale * gamma[j] + beta[j];
}
