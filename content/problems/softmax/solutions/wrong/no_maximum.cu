// verdict: wrong_answer
// exp of 89 and more is infinite in float, and infinity / infinity is not a number. Small inputs hide it.

__global__ void softmax(const float* x, float* y, int rows, int cols) {
    __shared__ float partial[256];
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) sum += expf(from[j]);
    partial[threadIdx.x] = sum;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    }
    __syncthreads();
    sum = partial[0];
    for (int j = threadIdx.x; j < cols; j += blockDim.x) to[j] = expf(from[j]) / sum;
}
