// Accesses through volatile pointers.
__global__ void saxpy_strided(float alpha, const float* x, float* y, int n, int stride) {
    volatile float* to = y;
    const volatile float* from = x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float old = to[(long long)i * stride];
        to[(long long)i * stride] = alpha * from[(long long)i * stride] + old;
    }
}
