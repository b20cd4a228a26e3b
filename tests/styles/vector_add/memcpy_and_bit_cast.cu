// memcpy between types, __builtin_expect, bit casts.
#include <cuda/std/bit>
#include <cstring>
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (__builtin_expect(i >= n, 0)) return;
    unsigned bits;
    memcpy(&bits, a + i, sizeof bits);
    float u = cuda::std::bit_cast<float>(bits), v = __uint_as_float(__float_as_uint(b[i]));
    float w = u + v;
    memcpy(c + i, &w, sizeof w);
}
