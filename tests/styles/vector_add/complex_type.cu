// The real part of a complex sum.
#include <cuda/std/complex>
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    cuda::std::complex<float> u(a[i], 1.0f), v(b[i], -1.0f);
    c[i] = (u + v).real();
}
