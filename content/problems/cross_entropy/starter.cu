// Cross entropy of each row, and its gradient: softmax of the row, minus 1 at the target.
//
// Started as cross_entropy<<<rows, 256>>>(x, target, loss, grad, rows, cols), one block for each row. The largest number
// of the row is found and known to all threads; the sum, the loss and the gradient are missing.

__global__ void cross_entropy(const float* x, const int* target, float* loss, float* grad, int rows, int cols) {
    __shared__ float parts[256];
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = grad + (long long)blockIdx.x * cols;

    float top = -3.402823466e38f;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) top = fmaxf(top, from[j]);
    parts[threadIdx.x] = top;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) parts[threadIdx.x] = fmaxf(parts[threadIdx.x], parts[threadIdx.x + half]);
    }
    __syncthreads();
    top = parts[0];

    // fill in: the sum of expf(from[j] - top); then loss[blockIdx.x], and the gradient instead of this zero
    for (int j = threadIdx.x; j < cols; j += blockDim.x) to[j] = 0.0f;
}
