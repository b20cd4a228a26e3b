// The row stays in registers: read once, written once, 16 bytes at a time.
//
// Idea: four uint4 per thread are 32 halves, a row of 1024 for a warp or of 8192 for a block of 256.
// Cost: 4 bytes per element; gamma comes from the caches. No barrier for short rows, one for long ones.
// Why zeros behind the end need no condition: they add nothing to a sum of squares.
// Rows that are longer, or whose length is no multiple of 8, are read in passes instead.

//! launch rms_norm<<<ceil_div(rows, 1 + 7*min(1, 1024/cols)), 256>>>(x, gamma, y, rows, cols)

#include <cuda_fp16.h>

constexpr int kVectors = 4;
constexpr unsigned kAll = 0xffffffffu;

// Sum over the group that works on one row, a warp (32) or the block (256).
template <int kGroup>
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
__device__ void row_in_registers(const half* from, const half* gamma, half* to, int cols) {
    const int lane = threadIdx.x % kGroup;
    uint4 v[kVectors];
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
        int i = lane + k * kGroup;
        v[k] = 8 * i < cols ? reinterpret_cast<const uint4*>(from)[i] : make_uint4(0, 0, 0, 0);
    }
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
#pragma unroll
        for (int p = 0; p < 4; ++p) {
            float2 pair = __half22float2(reinterpret_cast<const half2*>(&v[k])[p]);
            sum += pair.x * pair.x + pair.y * pair.y;
        }
    }
    const float inverse = rsqrtf(group_sum<kGroup>(sum) / cols + 1e-5f);
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
        int i = lane + k * kGroup;
        if (8 * i >= cols) continue;
        const uint4 g = reinterpret_cast<const uint4*>(gamma)[i];
        uint4 result;
#pragma unroll
        for (int p = 0; p < 4; ++p) {
            float2 pair = __half22float2(reinterpret_cast<const half2*>(&v[k])[p]);
            float2 scale = __half22float2(reinterpret_cast<const half2*>(&g)[p]);
            reinterpret_cast<half2*>(&result)[p] =
                __floats2half2_rn(pair.x * inverse * scale.x, pair.y * inverse * scale.y);
        }
        reinterpret_cast<uint4*>(to)[i] = result;
    }
}

template <int kGroup>
__device__ void row_in_passes(const half* from, const half* gamma, half* to, int cols) {
    const int lane = threadIdx.x % kGroup;
    float sum = 0.0f;
    for (int j = lane; j < cols; j += kGroup) sum += __half2float(from[j]) * __half2float(from[j]);
    const float inverse = rsqrtf(group_sum<kGroup>(sum) / cols + 1e-5f);
    for (int j = lane; j < cols; j += kGroup) {
        to[j] = __float2half(__half2float(from[j]) * inverse * __half2float(gamma[j]));
    }
}

__global__ void __launch_bounds__(256) rms_norm(const half* __restrict__ x, const half* __restrict__ gamma,
                                                half* __restrict__ y, int rows, int cols) {
    if (cols <= 1024) {
        const int row = blockIdx.x * 8 + threadIdx.x / 32;
        if (row >= rows) return;
        const long long start = (long long)row * cols;
        if (cols % 8 == 0) {
            row_in_registers<32>(x + start, gamma, y + start, cols);
        } else {
            row_in_passes<32>(x + start, gamma, y + start, cols);
        }
    } else {
        const long long start = (long long)blockIdx.x * cols;
        if (cols % 8 == 0 && cols <= 256 * 8 * kVectors) {
            row_in_registers<256>(x + start, gamma, y + start, cols);
        } else {
            row_in_passes<256>(x + start, gamma, y + start, cols);
        }
    }
}
