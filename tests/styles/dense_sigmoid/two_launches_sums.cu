//! scratch z float m zero
//! launch products<<<dim3(ceil_div(n, 128), m), 128>>>(w, x, z, n)
//! launch finish<<<ceil_div(m, 128), 128>>>(z, b, y, m)
// Products by many blocks with one atomic a warp, then the function.
__global__ void products(const float* w, const float* x, float* z, int n) {
    int j = blockIdx.x * 128 + threadIdx.x;
    float v = j < n ? w[(size_t)blockIdx.y * n + j] * x[j] : 0.0f;
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) atomicAdd(z + blockIdx.y, v);
}
__global__ void finish(const float* z, const float* b, float* y, int m) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < m) y[i] = 1.0f / (1.0f + expf(-z[i] - b[i]));
}
