// problem: vector_add
// cited: 56
// allowed: runtime_error
// Ends by assertion.
#include <cassert>
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(n < 0);
    c[i] = a[i] + b[i];
}
