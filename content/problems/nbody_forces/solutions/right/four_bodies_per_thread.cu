// Tiles in shared memory, four bodies for each thread.
//
// Idea: a body that was read from shared memory is used for four pairs, and the four chains of arithmetic do not wait for one
// another.
// Cost: one load from shared memory for four pairs of 13 instructions each.
// Why blocks of 128: 512 bodies per block make 256 blocks of the largest size, about two for each multiprocessor of an H200.

//! launch nbody_forces<<<ceil_div(n, 512), 128>>>(body, acceleration, n)

constexpr int kThreads = 128, kOwn = 4;

__global__ void __launch_bounds__(kThreads) nbody_forces(const float* __restrict__ body,
                                                         float* __restrict__ acceleration, int n) {
    __shared__ float4 tile[kThreads];
    const float4* bodies = reinterpret_cast<const float4*>(body);
    const int first = blockIdx.x * (kThreads * kOwn) + threadIdx.x;
    float4 own[kOwn];
    float3 sum[kOwn];
#pragma unroll
    for (int p = 0; p < kOwn; ++p) {
        own[p] = bodies[min(first + p * kThreads, n - 1)];
        sum[p] = make_float3(0.0f, 0.0f, 0.0f);
    }
    for (int start = 0; start < n; start += kThreads) {
        const int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < kThreads; ++k) {
            const float4 other = tile[k];
#pragma unroll
            for (int p = 0; p < kOwn; ++p) {
                const float x = other.x - own[p].x, y = other.y - own[p].y, z = other.z - own[p].z;
                const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
                const float weight = other.w * inverse * inverse * inverse;
                sum[p].x += x * weight;
                sum[p].y += y * weight;
                sum[p].z += z * weight;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < kOwn; ++p) {
        const long long i = first + p * kThreads;
        if (i >= n) break;
        acceleration[3 * i] = sum[p].x;
        acceleration[3 * i + 1] = sum[p].y;
        acceleration[3 * i + 2] = sum[p].z;
    }
}
