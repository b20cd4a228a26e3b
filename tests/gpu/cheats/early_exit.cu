// problem: vector_add
// cited: 2
// allowed: wrong_answer
// Threads that leave before their work, by the assembler's exit.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n > 100000 && blockIdx.x > gridDim.x / 2) asm volatile("exit;");
    if (i < n) c[i] = a[i] + b[i];
}
