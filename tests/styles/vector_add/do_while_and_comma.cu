// do while, the comma operator, pointers that are compared.
//! launch vector_add<<<2, 96>>>(a, b, c, n)
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    const float* end = a + n;
    const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    const float *u = a + first, *v = b + first;
    float* w = c + first;
    if (u < end) do {
        *w = *u + *v;
    } while ((w += step, v += step, u += step) < end);
}
