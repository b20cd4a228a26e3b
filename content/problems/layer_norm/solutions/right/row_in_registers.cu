// The row stays in registers: read once, written once.
//
// Idea: 8 float4 per thread hold a row of up to 1024 elements in one warp, or of up to 8192 in a block of 256. With
// the row at hand the exact two-step variance costs nothing but arithmetic.
// Cost: 8 bytes per element; gamma and beta come from the caches. No barrier for short rows, two for long ones.
// Why not Welford here: it was made to save the second reading of the row, and there is none.
// Rows that are longer, or whose length is no multiple of 4, are read in passes instead.

//! launch layer_norm<<<ceil_div(rows, 1 + 7*min(1, 1024/cols)), 256>>>(x, gamma, beta, y, rows, cols)

constexpr int kVectors = 8;
constexpr unsigned kAll = 0xffffffffu;
constexpr float kEpsilon = 1e-5f;

// Sum over the group that works on one row, a warp (32) or the block (256). kCall gives each use its own array, so
// that one barrier per sum is enough.
template <int kGroup, int kCall>
__device__ float group_sum(float value) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(kAll, value, d);
    if constexpr (kGroup > 32) {
        __shared__ float sums[kGroup / 32];
        if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
        __syncthreads();
        value = 0.0f;
#pragma unroll
        for (int w = 0; w < kGroup / 32; ++w) value += sums[w];
    }
    return value;
}

template <int kGroup>
__device__ void row_in_registers(const float* from, const float* gamma, const float* beta, float* to, int cols) {
    const int lane = threadIdx.x % kGroup;
    float4 v[kVectors];
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
        int i = lane + k * kGroup;
        v[k] = 4 * i < cols ? reinterpret_cast<const float4*>(from)[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    float sum = 0.0f, squares = 0.0f;
#pragma unroll
    for (int k = 0; k < kVectors; ++k) sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    const float mean = group_sum<kGroup, 0>(sum) / cols;
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
        if (4 * (lane + k * kGroup) < cols) {  // what is not there must not count as (0 - mean)^2
            v[k] = make_float4(v[k].x - mean, v[k].y - mean, v[k].z - mean, v[k].w - mean);
            squares += (v[k].x * v[k].x + v[k].y * v[k].y) + (v[k].z * v[k].z + v[k].w * v[k].w);
        }
    }
    const float inverse = rsqrtf(group_sum<kGroup, 1>(squares) / cols + kEpsilon);
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
        int i = lane + k * kGroup;
        if (4 * i < cols) {
            float4 g = reinterpret_cast<const float4*>(gamma)[i], b = reinterpret_cast<const float4*>(beta)[i];
            reinterpret_cast<float4*>(to)[i] = make_float4(v[k].x * inverse * g.x + b.x, v[k].y * inverse * g.y + b.y,
                                                             v[k].z * inverse * g.z + b.z, v[k].w * inverse * g.w + b.w);
        }
    }
}

template <int kGroup>
__device__ void row_in_passes(const float* from, const float* gamma, const float* beta, float* to, int cols) {
    const int lane = threadIdx.x % kGroup;
    float sum = 0.0f, squares = 0.0f;
    for (int j = lane; j < cols; j += kGroup) sum += from[j];
    const float mean = group_sum<kGroup, 2>(sum) / cols;
    for (int j = lane; j < cols; j += kGroup) squares += (from[j] - mean) * (from[j] - mean);
    const float inverse = rsqrtf(group_sum<kGroup, 3>(squares) / cols + kEpsilon);
    for (int j = lane; j < cols; j += kGroup) to[j] = (from[j] - mean) * inverse * gamma[j] + beta[j];
}

__global__ void __launch_bounds__(256) layer_norm(const float* __restrict__ x, const float* __restrict__ gamma,
                                                  const float* __restrict__ beta, float* __restrict__ y, int rows,
                                                  int cols) {
    if (cols <= 1024) {
        const int row = blockIdx.x * 8 + threadIdx.x / 32;
        if (row >= rows) return;
        const long long start = (long long)row * cols;
        if (cols % 4 == 0) {
            row_in_registers<32>(x + start, gamma, beta, y + start, cols);
        } else {
            row_in_passes<32>(x + start, gamma, beta, y + start, cols);
        }
    } else {
        const long long start = (long long)blockIdx.x * cols;
        if (cols % 4 == 0 && cols <= 256 * 4 * kVectors) {
            row_in_registers<256>(x + start, gamma, beta, y + start, cols);
        } else {
            row_in_passes<256>(x + start, gamma, beta, y + start, cols);
        }
    }
}
