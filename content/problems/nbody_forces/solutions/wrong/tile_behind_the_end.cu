// verdict: memory_error
// Every thread loads its body of the tile, also where the last tile reaches behind the array.

__global__ void __launch_bounds__(256) nbody_forces(const float* __restrict__ body, float* __restrict__ acceleration, int n) {
    __shared__ float4 tile[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float4* bodies = reinterpret_cast<const float4*>(body);
    const float4 own = bodies[min(i, n - 1)];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int start = 0; start < n; start += 256) {
        const int j = start + threadIdx.x;
        tile[threadIdx.x] = bodies[j];
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
