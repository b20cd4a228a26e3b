// float4 in the middle, the rest by the last threads.
//! launch sigmoid<<<2, 128>>>(x, y, n)
__device__ __forceinline__ float s(float v) { return 1.0f / (1.0f + expf(-v)); }
__global__ void sigmoid(const float* __restrict__ x, float* __restrict__ y, int n) {
    const int quads = n >> 2, step = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
    for (int q = me; q < quads; q += step) {
        float4 v = __ldg(reinterpret_cast<const float4*>(x) + q);
        v.x = s(v.x), v.y = s(v.y), v.z = s(v.z), v.w = s(v.w);
        __stcg(reinterpret_cast<float4*>(y) + q, v);
    }
    for (int i = (quads << 2) + me; i < n; i += step) y[i] = s(x[i]);
}
