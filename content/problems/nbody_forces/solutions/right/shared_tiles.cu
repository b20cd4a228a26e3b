// Tiles of 256 bodies in shared memory.
//
// Idea: a block fetches 256 bodies once, one for each thread, and all its threads use all of them.
// Cost: 16 bytes from L2 for 256 pairs; a load from shared memory for each pair, the same address for a whole warp.
// Why the end of the last tile holds bodies without mass: they pull at nobody, and the inner loop needs no condition.

__global__ void __launch_bounds__(256) nbody_forces(const float* __restrict__ body, float* __restrict__ acceleration, int n) {
    __shared__ float4 tile[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float4* bodies = reinterpret_cast<const float4*>(body);
    const float4 own = bodies[min(i, n - 1)];  // threads behind the end help loading and write nothing
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int start = 0; start < n; start += 256) {
        const int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 256; ++k) {
            const float4 other = tile[k];
            const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
            const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
            const float weight = other.w * inverse * inverse * inverse;
            ax += x * weight;
            ay += y * weight;
            az += z * weight;
        }
        __syncthreads();
    }
    if (i >= n) return;
    acceleration[3LL * i] = ax;
    acceleration[3LL * i + 1] = ay;
    acceleration[3LL * i + 2] = az;
}
