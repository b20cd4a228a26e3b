// problem: none
// cited: 56
// allowed: ran runtime_error
// Breaks its context in every way that it can, so that the next one may find the card unusable.
#include <cstdio>
__global__ void trap() { __trap(); }
__global__ void wild() { *reinterpret_cast<volatile int*>(0x7f0000000000) = 1; }
int main() {
    trap<<<1, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    wild<<<1, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
    wild<<<1, 1>>>();
    return cudaDeviceSynchronize() == cudaSuccess;
}
