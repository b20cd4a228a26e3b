// verdict: wrong_answer
// Half precision keeps 11 bits where float keeps 24: three correct digits, and overflow above 65504.

#include <cuda_fp16.h>

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = __half2float(__hadd(__float2half(a[i]), __float2half(b[i])));
    }
}
