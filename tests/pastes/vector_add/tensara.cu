// expect: accepted tensara
#include <cuda_runtime.h>

__global__ void vectorAddKernel(const float* d_input1, const float* d_input2, float* d_output, size_t n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) d_output[i] = d_input1[i] + d_input2[i];
}

// Note: d_input1, d_input2, d_output are all device pointers to float32 arrays
extern "C" void solution(const float* d_input1, const float* d_input2, float* d_output, size_t n) {
    const int block_size = 128;
    const size_t num_blocks = (n + block_size - 1) / block_size;
    vectorAddKernel<<<num_blocks, block_size>>>(d_input1, d_input2, d_output, n);
}
