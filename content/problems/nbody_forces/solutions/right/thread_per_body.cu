// One thread for each body, all others read from memory.
//
// Idea: the definition. A body is one float4, and the lanes of a warp all read the same one.
// Cost: for each pair a load of 16 bytes, from L1 or L2, and 13 instructions of arithmetic.
// Why a body may pull at itself: its distance is 0, so its term is 0 divided by 0.001, which is 0.

__global__ void nbody_forces(const float* body, float* acceleration, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4* bodies = reinterpret_cast<const float4*>(body);
    const float4 own = bodies[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int j = 0; j < n; ++j) {
        const float4 other = bodies[j];
        const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
        const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
        const float weight = other.w * inverse * inverse * inverse;
        ax += x * weight;
        ay += y * weight;
        az += z * weight;
    }
    acceleration[3LL * i] = ax;
    acceleration[3LL * i + 1] = ay;
    acceleration[3LL * i + 2] = az;
}
