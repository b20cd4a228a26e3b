// problem: vector_add
// cited: ours
// allowed: memory_error
// Right answers, and one float more behind the output.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
    if (i == 0) c[n + 3] = 1.0f;
}
