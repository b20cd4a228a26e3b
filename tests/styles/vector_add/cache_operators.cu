// Loads through the read-only path, streaming stores.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        __stcs(c + i, __ldg(a + i) + __ldcs(b + i));
}
