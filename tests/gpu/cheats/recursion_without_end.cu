// problem: vector_add
// cited: 56
// allowed: memory_error runtime_error timeout out_of_memory unsupported
// Overflows the stack.
__device__ __noinline__ float deeper(float value, volatile float* mark) {
    *mark = value;
    return *mark > -1e30f ? deeper(value + 1, mark) + *mark : value;
}
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mark;
    if (i < n) c[i] = a[i] + b[i] + 0 * deeper(1, &mark);
}
