"""Whole programs that any card runs."""

DOUBLES = """#include <cstdio>
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
int main() {
    int host[4] = {1, 2, 3, 4}, *device;
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    twice<<<1, 4>>>(device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\\n", host[0], host[1], host[2], host[3]);
}
"""
"""Prints 2 4 6 8."""
