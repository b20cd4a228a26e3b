// A table of pointers to device functions.
__device__ float forwards(float a, float b) { return a + b; }
__device__ float backwards(float a, float b) { return b + a; }
using Add = float (*)(float, float);
__device__ Add chosen[2] = {forwards, backwards};
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = chosen[i & 1](a[i], b[i]);
}
