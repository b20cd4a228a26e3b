// verdict: race
// Every thread reads the result without waiting for the last step of the tree, and the array is filled again for
// the squares while some still read the mean.

__device__ float block_sum(float value) {
    __shared__ float values[256];
    values[threadIdx.x] = value;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    }
    return values[0];
}

__global__ void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols) {
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;
    float sum = 0.0f, squares = 0.0f;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) sum += from[j];
    float mean = block_sum(sum) / cols;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) squares += (from[j] - mean) * (from[j] - mean);
    float inverse = rsqrtf(block_sum(squares) / cols + 1e-5f);
    for (int j = threadIdx.x; j < cols; j += blockDim.x) to[j] = (from[j] - mean) * inverse * gamma[j] + beta[j];
}
