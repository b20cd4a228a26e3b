// verdict: wrong_answer
// Treats the arrays as dense. The elements that count come out right; what lies between them is destroyed.

//! launch saxpy_strided<<<ceil_div((n - 1)*stride + 1, 256), 256>>>(alpha, x, y, n, stride)

__global__ void saxpy_strided(float alpha, const float* x, float* y, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= (n - 1) * stride) {
        y[i] = alpha * x[i] + y[i];
    }
}
