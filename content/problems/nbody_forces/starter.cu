// Gravity of n bodies: acceleration[i] = the sum over all j of mass[j] * (p[j] - p[i]) / (|p[j] - p[i]|^2 + 0.01)^1.5.
//
// Started with one thread for each body. A body is a float4: place in x, y, z, mass in w. As it stands all bodies pull with
// their mass, however far away they are.

__global__ void nbody_forces(const float* body, float* acceleration, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4* bodies = reinterpret_cast<const float4*>(body);
    float4 own = bodies[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int j = 0; j < n; ++j) {
        float4 other = bodies[j];
        float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
        float weight = other.w;  // fill in: divided by (squared distance + 0.01) to the power of 1.5
        ax += x * weight;
        ay += y * weight;
        az += z * weight;
    }
    acceleration[3 * i] = ax;
    acceleration[3 * i + 1] = ay;
    acceleration[3 * i + 2] = az;
}
