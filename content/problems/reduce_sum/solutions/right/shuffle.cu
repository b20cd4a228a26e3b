// 16-byte loads, registers and warp shuffles; shared memory for 8 numbers only.
//
// Idea: a thread keeps four float4 loads in flight and adds them in registers; a warp joins its 32 sums with
// shuffles (no barrier, no shared memory); the 8 warps of a block meet once.
// Cost: 4 bytes per element; one barrier per block and launch instead of eight.
// Why it is a little faster than the plain two passes (3% on an H200, where both are near the copy bandwidth): both keep
// enough bytes under way, this one with a quarter of the load instructions and without the eight barriers at the end.

//! scratch partial float 1056
//! launch reduce_sum<<<min(ceil_div(n, 1024), 1056), 256>>>(x, partial, n)
//! launch reduce_sum<<<1, 256>>>(partial, out, min(ceil_div(n, 1024), 1056))

constexpr int kUnroll = 4;  // float4 loads in flight per thread

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffffu, value, offset);
    }
    return value;  // complete in lane 0
}

__global__ void __launch_bounds__(256) reduce_sum(const float* __restrict__ x, float* __restrict__ out, int n) {
    __shared__ float warp_sums[8];
    const float4* x4 = reinterpret_cast<const float4*>(x);
    const int vectors = n / 4;
    const int stride = gridDim.x * 256;
    const int thread = blockIdx.x * 256 + threadIdx.x;

    float sum[kUnroll] = {};
    int i = thread;
    for (; i < vectors - (kUnroll - 1) * stride; i += kUnroll * stride) {
        float4 v[kUnroll];
#pragma unroll
        for (int k = 0; k < kUnroll; ++k) v[k] = x4[i + k * stride];
#pragma unroll
        for (int k = 0; k < kUnroll; ++k) sum[k] += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    for (; i < vectors; i += stride) {
        float4 v = x4[i];
        sum[0] += (v.x + v.y) + (v.z + v.w);
    }
    if (thread < n % 4) {  // the elements that fill no vector
        sum[1] += x[vectors * 4 + thread];
    }

    float total = warp_sum((sum[0] + sum[1]) + (sum[2] + sum[3]));
    if (threadIdx.x % 32 == 0) {
        warp_sums[threadIdx.x / 32] = total;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        total = warp_sum(threadIdx.x < 8 ? warp_sums[threadIdx.x] : 0.0f);
        if (threadIdx.x == 0) {
            out[blockIdx.x] = total;
        }
    }
}
