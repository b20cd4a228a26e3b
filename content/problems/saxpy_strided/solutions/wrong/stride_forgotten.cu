// verdict: wrong_answer
// x is read with the stride, y is updated without it.

__global__ void saxpy_strided(float alpha, const float* x, float* y, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = alpha * x[(long long)i * stride] + y[i];
    }
}
