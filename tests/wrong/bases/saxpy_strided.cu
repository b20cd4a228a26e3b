__global__ void saxpy_strided(float alpha, const float* x, float* y, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        long long at = (long long)i * stride;
        y[at] = alpha * x[at] + y[at];
    }
}
