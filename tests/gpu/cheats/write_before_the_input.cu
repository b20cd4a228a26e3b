// problem: vector_add
// cited: ours
// allowed: memory_error
// One float in front of its first array, at the large shape.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
    if (n > 100000 && i == 0) ((float*)a)[-5] = 1.0f;
}
