// expect: accepted leetgpu
#include <cmath>
__global__ void add(const float* A, const float* B, float* C, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    if (N <= 0) return;
    dim3 block(256);
    dim3 grid((unsigned int)ceil(N / 256.0));
    add<<<grid, block, 0, 0>>>(A, B, C, N);
    cudaError_t err = cudaGetLastError();
    if (err != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(err));
        return;
    }
}
