// The row stays in registers: read once, written once.
//
// Idea: eight float4 per thread, and as many threads as the row needs: 1024 hold 32768 numbers.
// Cost: 8 bytes per element; one barrier for the maximum, one for the sum.
// Why the exponentials replace the inputs: each is needed twice, for the sum and for the result.
// Rows that are longer, or whose length is no multiple of 4, are read in passes instead.

//! launch cross_entropy<<<rows, min(1024, ceil_div(cols, 1024) * 32)>>>(x, target, loss, grad, rows, cols)

constexpr int kVectors = 8;
constexpr unsigned kAll = 0xffffffffu;
constexpr float kLowest = -3.402823466e38f;

// What all warps of the block find together; each use has its own array, so one barrier is enough.
template <typename Join>
__device__ float block_join(float value, float* parts, float neutral, Join join) {
    for (int d = 16; d > 0; d /= 2) value = join(value, __shfl_xor_sync(kAll, value, d));
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x % 32 < blockDim.x / 32 ? parts[threadIdx.x % 32] : neutral;
    for (int d = 16; d > 0; d /= 2) value = join(value, __shfl_xor_sync(kAll, value, d));
    return value;
}

__device__ float larger(float p, float q) { return fmaxf(p, q); }
__device__ float added(float p, float q) { return p + q; }

__global__ void __launch_bounds__(1024) cross_entropy(const float* __restrict__ x, const int* __restrict__ target,
                                                      float* __restrict__ loss, float* __restrict__ grad, int rows,
                                                      int cols) {
    __shared__ float tops[32], sums[32];
    const int t = threadIdx.x, threads = blockDim.x;
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = grad + (long long)blockIdx.x * cols;
    const int wanted = target[blockIdx.x];
    const bool fits = cols % 4 == 0 && cols <= threads * 4 * kVectors;
    float4 v[kVectors];
    float top = kLowest, sum = 0.0f;
    if (fits) {
#pragma unroll
        for (int k = 0; k < kVectors; ++k) {
            int i = t + k * threads;
            v[k] = 4 * i < cols ? reinterpret_cast<const float4*>(from)[i]
                                : make_float4(kLowest, kLowest, kLowest, kLowest);
        }
#pragma unroll
        for (int k = 0; k < kVectors; ++k) top = fmaxf(top, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)));
    } else {
        for (int j = t; j < cols; j += threads) top = fmaxf(top, from[j]);
    }
    top = block_join(top, tops, kLowest, larger);
    if (fits) {
#pragma unroll
        for (int k = 0; k < kVectors; ++k) {
            v[k] = make_float4(expf(v[k].x - top), expf(v[k].y - top), expf(v[k].z - top), expf(v[k].w - top));
            sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
        }
    } else {
        for (int j = t; j < cols; j += threads) sum += expf(from[j] - top);
    }
    sum = block_join(sum, sums, 0.0f, added);
    if (t == 0) loss[blockIdx.x] = logf(sum) - (from[wanted] - top);
    const float factor = 1.0f / sum;
    if (!fits) {
        for (int j = t; j < cols; j += threads) to[j] = expf(from[j] - top) * factor - (j == wanted ? 1.0f : 0.0f);
        return;
    }
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
        int i = t + k * threads;
        if (4 * i >= cols) continue;
        float4 g = make_float4(v[k].x * factor, v[k].y * factor, v[k].z * factor, v[k].w * factor);
        if (wanted / 4 == i) {
            if (wanted % 4 == 0) g.x -= 1.0f;
            if (wanted % 4 == 1) g.y -= 1.0f;
            if (wanted % 4 == 2) g.z -= 1.0f;
            if (wanted % 4 == 3) g.w -= 1.0f;
        }
        reinterpret_cast<float4*>(to)[i] = g;
    }
}
