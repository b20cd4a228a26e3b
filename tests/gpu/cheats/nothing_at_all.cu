// problem: vector_add
// cited: 30 31 41
// allowed: wrong_answer uninitialized
// Hopes that the output still holds somebody's answer.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
}
