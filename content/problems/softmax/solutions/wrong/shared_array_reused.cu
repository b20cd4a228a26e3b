// verdict: race
// The maximum is read from the shared array while faster warps already overwrite it with their sums.

constexpr float kLowest = -3.402823466e+38f;  // below every float: neutral for a maximum

__global__ void softmax(const float* x, float* y, int rows, int cols) {
    __shared__ float partial[256];
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;
    float top = kLowest;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) top = fmaxf(top, from[j]);
    partial[threadIdx.x] = top;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) partial[threadIdx.x] = fmaxf(partial[threadIdx.x], partial[threadIdx.x + half]);
    }
    __syncthreads();
    top = partial[0];

    float sum = 0.0f;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) sum += expf(from[j] - top);
    partial[threadIdx.x] = sum;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    }
    __syncthreads();
    sum = partial[0];
    for (int j = threadIdx.x; j < cols; j += blockDim.x) to[j] = expf(from[j] - top) / sum;
}
