// expect: accepted leetgpu
#include <cuda_runtime.h>
#define BLOCK 256

__global__ void reduce(const float* input, float* partial, int n) {
    __shared__ float tile[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    tile[threadIdx.x] = i < n ? input[i] : 0.0f;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) tile[threadIdx.x] += tile[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = tile[0];
}

__global__ void finish(const float* partial, float* output, int blocks) {
    __shared__ float tile[BLOCK];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < blocks; i += BLOCK) sum += partial[i];
    tile[threadIdx.x] = sum;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) tile[threadIdx.x] += tile[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) *output = tile[0];
}

extern "C" void solve(const float* input, float* output, int N) {
    int blocks = (N + BLOCK - 1) / BLOCK;
    float* partial;
    cudaMalloc(&partial, blocks * sizeof(float));
    reduce<<<blocks, BLOCK>>>(input, partial, N);
    finish<<<1, BLOCK>>>(partial, output, blocks);
    cudaFree(partial);
}
