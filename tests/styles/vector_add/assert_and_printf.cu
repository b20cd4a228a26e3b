// assert and a printf that says something once.
#include <cassert>
#include <cstdio>
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(n > 0 && blockDim.x <= 1024);
    if (i == 0) printf("%d elements, %s, %c, %5.2f, %llu, %p\n", n, "all of them", 'x', 1.5, 1ull << 40, a == nullptr ? a : nullptr);
    if (i < n) c[i] = a[i] + b[i];
}
