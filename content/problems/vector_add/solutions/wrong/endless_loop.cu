// verdict: timeout
// A grid-stride loop that forgets the step: every thread that has work repeats its first element for ever.

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        *(volatile float*)(c + i) = a[i] + b[i];
    }
}
