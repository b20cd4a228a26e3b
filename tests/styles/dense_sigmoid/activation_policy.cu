// The activation as a policy class of a template kernel.
struct Sigmoid {
    static __device__ float apply(float z) { return 1.0f / (1.0f + expf(-z)); }
};
template <class Activation, int kRows>
__device__ void layer(const float* w, const float* x, const float* b, float* y, int m, int n) {
    int row0 = (blockIdx.x * blockDim.x + threadIdx.x) * kRows;
    float z[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) z[r] = row0 + r < m ? b[row0 + r] : 0.0f;
    for (int j = 0; j < n; ++j) {
        const float v = x[j];
#pragma unroll
        for (int r = 0; r < kRows; ++r)
            if (row0 + r < m) z[r] += w[(size_t)(row0 + r) * n + j] * v;
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r)
        if (row0 + r < m) y[row0 + r] = Activation::apply(z[r]);
}
__global__ void dense_sigmoid(const float* w, const float* x, const float* b, float* y, int m, int n) {
    layer<Sigmoid, 2>(w, x, b, y, m, n);
}
