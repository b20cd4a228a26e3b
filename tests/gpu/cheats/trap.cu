// problem: vector_add
// cited: 56
// allowed: runtime_error
// Breaks the context for whoever comes next.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __trap();
}
