// One thread, one element, ordinary arithmetic.
//
// Idea: the definition, in float.
// Cost: two loads and a conversion per multiply-add; neighbouring threads walk along different rows of B.
// Why it is here: it needs no tensor cores and is the measure for what they bring.

#include <cuda_fp16.h>

__global__ void hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int p = 0; p < k; ++p) {
            sum += __half2float(a[(long long)row * k + p]) * __half2float(b[(long long)col * k + p]);
        }
        c[(long long)row * n + col] = sum;
    }
}
