// Sigmoid: y[i] = 1 / (1 + exp(-x[i])).
//
// Started as sigmoid<<<ceil_div(n, 256), 256>>>(x, y, n). Everything is there but the function itself.

__device__ float logistic(float x) {
    return 0.0f;  // fill in: expf is the exponential of a float
}

__global__ void sigmoid(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = logistic(x[i]);
    }
}
