// expect: wrong program
#include <stdio.h>
__global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] - b[i];
}
int main() {
    int n = 1 << 20, threads = 1 << 8;
    float *a, *b, *c;
    cudaMallocManaged(&a, n * sizeof(float));
    cudaMallocManaged(&b, n * sizeof(float));
    cudaMallocManaged(&c, n * sizeof(float));
    add<<<(n + threads - 1) / threads, threads>>>(a, b, c, n);
    cudaDeviceSynchronize();
    return 0;
}
