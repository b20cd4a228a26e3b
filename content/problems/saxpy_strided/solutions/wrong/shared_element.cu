// verdict: race
// One thread per position, rounded down to an element: with a stride above 1 several threads add to the same
// element, each on its own old value.

//! launch saxpy_strided<<<ceil_div((n - 1)*stride + 1, 256), 256>>>(alpha, x, y, n, stride)

__global__ void saxpy_strided(float alpha, const float* x, float* y, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= (n - 1) * stride) {
        int position = i / stride * stride;
        y[position] = alpha * x[position] + y[position];
    }
}
