// Double on the way.
__global__ void sigmoid(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (float)(1.0 / (1.0 + exp(-(double)x[i])));
}
