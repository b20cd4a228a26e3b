// Expected accelerations in double: one thread per body, tiles of 256 bodies in shared memory.
//! launch expect_forces<<<ceil_div(n, 256), 256>>>(body, expected_acceleration, magnitude_acceleration, n)

__global__ void expect_forces(const float* body, double* expected, double* magnitude, int n) {
    __shared__ float4 tile[256];
    const long long i = blockIdx.x * 256LL + threadIdx.x;
    const float4* bodies = reinterpret_cast<const float4*>(body);
    const float4 own = bodies[i < n ? i : 0];
    double sum[3] = {0.0, 0.0, 0.0}, size[3] = {0.0, 0.0, 0.0};
    for (int start = 0; start < n; start += 256) {
        __syncthreads();
        if (start + threadIdx.x < n) tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256 && start + j < n; ++j) {
            const double x = double(tile[j].x) - own.x, y = double(tile[j].y) - own.y, z = double(tile[j].z) - own.z;
            const double inverse = 1.0 / sqrt(x * x + y * y + z * z + 0.01);
            const double weight = tile[j].w * inverse * inverse * inverse;
            const double term[3] = {x * weight, y * weight, z * weight};
            for (int c = 0; c < 3; ++c) {
                sum[c] += term[c];
                size[c] += fabs(term[c]);
            }
        }
    }
    if (i >= n) return;
    for (int c = 0; c < 3; ++c) {
        expected[3 * i + c] = sum[c];
        magnitude[3 * i + c] = size[c];
    }
}

// Places from -1 to 1, masses from 0.1 to 1; each number from its own index, a mass where the index is 3 modulo 4.
__global__ void fill_body(float* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        const float share = float(bits >> 40) / 16777216.0f;
        data[i] = i % 4 == 3 ? 0.1f + 0.9f * share : 2.0f * share - 1.0f;
    }
}
