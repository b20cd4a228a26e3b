// verdict: memory_error
// Compares an element's number with the length in positions, so that threads n to n * stride - 1 run past the end.

//! launch saxpy_strided<<<ceil_div(n*stride, 256), 256>>>(alpha, x, y, n, stride)

__global__ void saxpy_strided(float alpha, const float* x, float* y, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * stride) {
        y[i * stride] = alpha * x[i * stride] + y[i * stride];
    }
}
