// verdict: compile_error
// The type is spelt float.

__global__ void vector_add(const flaot* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
