// verdict: wrong_answer
// The distance from |p|^2 + |q|^2 - 2 pq. Far from the origin these are large and nearly equal, and what is left of them is rounding.

__global__ void nbody_forces(const float* body, float* acceleration, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4* bodies = reinterpret_cast<const float4*>(body);
    const float4 own = bodies[i];
    const float own_size = own.x * own.x + own.y * own.y + own.z * own.z;
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int j = 0; j < n; ++j) {
        const float4 other = bodies[j];
        const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
        const float squared = own_size + other.x * other.x + other.y * other.y + other.z * other.z -
                              2.0f * (own.x * other.x + own.y * other.y + own.z * other.z);
        const float inverse = rsqrtf(fmaxf(squared, 0.0f) + 0.01f);
        const float weight = other.w * inverse * inverse * inverse;
        ax += x * weight;
        ay += y * weight;
        az += z * weight;
    }
    acceleration[3LL * i] = ax;
    acceleration[3LL * i + 1] = ay;
    acceleration[3LL * i + 2] = az;
}
