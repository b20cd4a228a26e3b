// verdict: wrong_answer
// The difference of places is no unit vector: divided by the square of the distance it pulls with 1 / distance.

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
        const float weight = other.w * inverse * inverse;
        ax += x * weight;
        ay += y * weight;
        az += z * weight;
    }
    acceleration[3LL * i] = ax;
    acceleration[3LL * i + 1] = ay;
    acceleration[3LL * i + 2] = az;
}
