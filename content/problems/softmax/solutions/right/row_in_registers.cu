// The row stays in registers: read once, written once.
//
// Idea: 8 float4 per thread hold a row of up to 1024 elements in one warp, or of up to 8192 in a block of 256. All
// loads are issued before the first use; maximum, exponentials and sum then never touch memory.
// Cost: 8 bytes per element. Short rows need no barrier at all (a warp each), long rows two.
// Why warps for short rows: a block would spend its time in barriers, with 4 KB in flight; eight warps with a row
// each have 32 KB in flight and do not wait for one another.
// Rows that are longer, or whose length is no multiple of 4, take three passes instead.

//! launch softmax<<<ceil_div(rows, 1 + 7*min(1, 1024/cols)), 256>>>(x, y, rows, cols)

constexpr int kVectors = 8;
constexpr float kLowest = -3.402823466e+38f;  // below every float: neutral for a maximum
constexpr unsigned kAll = 0xffffffffu;

__device__ float warp_max(float value) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) value = fmaxf(value, __shfl_xor_sync(kAll, value, d));
    return value;
}

__device__ float warp_sum(float value) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(kAll, value, d);
    return value;
}

// The group that works on one row is a warp (32) or the block (256). Two arrays, so one barrier per reduction.
template <int kGroup>
__device__ float group_max(float value) {
    value = warp_max(value);
    if constexpr (kGroup > 32) {
        __shared__ float maxima[kGroup / 32];
        if (threadIdx.x % 32 == 0) maxima[threadIdx.x / 32] = value;
        __syncthreads();
#pragma unroll
        for (int w = 0; w < kGroup / 32; ++w) value = fmaxf(value, maxima[w]);
    }
    return value;
}

template <int kGroup>
__device__ float group_sum(float value) {
    value = warp_sum(value);
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
__device__ void row_in_registers(const float* from, float* to, int cols) {
    const int lane = threadIdx.x % kGroup;
    float4 v[kVectors];
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
        int i = lane + k * kGroup;
        v[k] = 4 * i < cols ? reinterpret_cast<const float4*>(from)[i]
                            : make_float4(kLowest, kLowest, kLowest, kLowest);
    }
    float top = kLowest;
#pragma unroll
    for (int k = 0; k < kVectors; ++k) top = fmaxf(top, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)));
    top = group_max<kGroup>(top);
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {  // what is not there contributes exp(lowest - top) = 0
        v[k] = make_float4(expf(v[k].x - top), expf(v[k].y - top), expf(v[k].z - top), expf(v[k].w - top));
        sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    const float scale = 1.0f / group_sum<kGroup>(sum);
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
        int i = lane + k * kGroup;
        if (4 * i < cols) {
            reinterpret_cast<float4*>(to)[i] =
                make_float4(v[k].x * scale, v[k].y * scale, v[k].z * scale, v[k].w * scale);
        }
    }
}

template <int kGroup>
__device__ void row_in_passes(const float* from, float* to, int cols) {
    const int lane = threadIdx.x % kGroup;
    float top = kLowest, sum = 0.0f;
    for (int j = lane; j < cols; j += kGroup) top = fmaxf(top, from[j]);
    top = group_max<kGroup>(top);
    for (int j = lane; j < cols; j += kGroup) sum += expf(from[j] - top);
    const float scale = 1.0f / group_sum<kGroup>(sum);
    for (int j = lane; j < cols; j += kGroup) to[j] = expf(from[j] - top) * scale;
}

__global__ void __launch_bounds__(256) softmax(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
    if (cols <= 1024) {
        const int row = blockIdx.x * 8 + threadIdx.x / 32;
        if (row >= rows) return;
        const long long start = (long long)row * cols;
        if (cols % 4 == 0) {
            row_in_registers<32>(x + start, y + start, cols);
        } else {
            row_in_passes<32>(x + start, y + start, cols);
        }
    } else {
        const long long start = (long long)blockIdx.x * cols;
        if (cols % 4 == 0 && cols <= 256 * 4 * kVectors) {
            row_in_registers<256>(x + start, y + start, cols);
        } else {
            row_in_passes<256>(x + start, y + start, cols);
        }
    }
}
