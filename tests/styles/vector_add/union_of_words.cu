// A union reads four floats as one 16-byte word, and its parts one by one.
union Quad {
    float4 whole;
    float part[4];
    uint2 halves[2];
};
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (first + 4 <= n) {
        Quad u, v;
        u.whole = *reinterpret_cast<const float4*>(a + first);
        v.halves[0] = *reinterpret_cast<const uint2*>(b + first);
        v.halves[1] = *reinterpret_cast<const uint2*>(b + first + 2);
        for (int k = 0; k < 4; ++k) u.part[k] += v.part[k];
        *reinterpret_cast<float4*>(c + first) = u.whole;
    } else {
        for (int i = first; i < n; ++i) c[i] = a[i] + b[i];
    }
}
