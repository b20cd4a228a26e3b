// The group stays in registers: read once, written once, 16 bytes at a time.
//
// Idea: eight float4 per thread are 32 numbers, a group of 32 768 for 1024 threads; all loads are under way before the first is
// used.
// Cost: 8 bytes per element; four barriers for a group.
// Why places behind the end need a condition: a zero adds nothing to the sum, but mean^2 to the sum of squares.
// Groups that are longer, or whose channels are no multiple of 4, are read in passes instead.

//! launch group_norm<<<dim3(groups, batch), min(1024, ceil_div(per_group*pixels, 1024) * 32)>>>(x, gamma, beta, y, batch, groups, per_group, pixels)

constexpr int kVectors = 8;
constexpr unsigned kAll = 0xffffffffu;

__device__ float block_sum(float value) {
    __shared__ float sums[32];
    const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
    for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(kAll, value, d);
    __syncthreads();  // all have read the sums before these
    if (lane == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = lane < warps ? sums[lane] : 0.0f;
    for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(kAll, value, d);
    return value;
}

__device__ void in_registers(const float4* from, const float* gamma, const float* beta, float4* to, int length, int pixels) {
    float4 v[kVectors];
    float sum = 0.0f, squares = 0.0f;
#pragma unroll
    for (int p = 0; p < kVectors; ++p) {
        const int i = threadIdx.x + p * blockDim.x;
        v[p] = 4 * i < length ? from[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
#pragma unroll
    for (int p = 0; p < kVectors; ++p) sum += (v[p].x + v[p].y) + (v[p].z + v[p].w);
    const float mean = block_sum(sum) / length;
#pragma unroll
    for (int p = 0; p < kVectors; ++p) {
        v[p] = make_float4(v[p].x - mean, v[p].y - mean, v[p].z - mean, v[p].w - mean);
        if (4 * (threadIdx.x + p * blockDim.x) < length) {
            squares += (v[p].x * v[p].x + v[p].y * v[p].y) + (v[p].z * v[p].z + v[p].w * v[p].w);
        }
    }
    const float inverse = rsqrtf(block_sum(squares) / length + 1e-5f);
#pragma unroll
    for (int p = 0; p < kVectors; ++p) {
        const int i = threadIdx.x + p * blockDim.x;
        if (4 * i >= length) break;
        const float scale = inverse * gamma[4 * i / pixels], shift = beta[4 * i / pixels];
        to[i] = make_float4(v[p].x * scale + shift, v[p].y * scale + shift, v[p].z * scale + shift, v[p].w * scale + shift);
    }
}

__device__ void in_passes(const float* from, const float* gamma, const float* beta, float* to, int length, int pixels) {
    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x; i < length; i += blockDim.x) sum += from[i];
    const float mean = block_sum(sum) / length;
    for (int i = threadIdx.x; i < length; i += blockDim.x) squares += (from[i] - mean) * (from[i] - mean);
    const float inverse = rsqrtf(block_sum(squares) / length + 1e-5f);
    for (int i = threadIdx.x; i < length; i += blockDim.x) {
        to[i] = (from[i] - mean) * inverse * gamma[i / pixels] + beta[i / pixels];
    }
}

__global__ void __launch_bounds__(1024) group_norm(const float* __restrict__ x, const float* __restrict__ gamma,
                                                   const float* __restrict__ beta, float* __restrict__ y, int batch,
                                                   int groups, int per_group, int pixels) {
    const int length = per_group * pixels, channel = blockIdx.x * per_group;
    const long long start = (blockIdx.y * (long long)groups + blockIdx.x) * length;
    if (pixels % 4 == 0 && length <= 4 * kVectors * blockDim.x) {
        in_registers(reinterpret_cast<const float4*>(x + start), gamma + channel, beta + channel,
                     reinterpret_cast<float4*>(y + start), length, pixels);
    } else {
        in_passes(x + start, gamma + channel, beta + channel, y + start, length, pixels);
    }
}
