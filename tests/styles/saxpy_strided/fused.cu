// fmaf and a 64-bit position.
__global__ void saxpy_strided(float alpha, const float* x, float* y, int n, int stride) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const long long at = (long long)i * stride;
        y[at] = __fmaf_rn(alpha, x[at], y[at]);
    }
}
