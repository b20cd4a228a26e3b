// verdict: wrong_answer
// Mean of squares minus square of the mean. Around 4096 both are 16.8 million, floats are one or two apart there,
// and a variance of 0.3 is lost, or comes out negative, whose root is not a number.

__device__ float block_sum(float value) {
    __shared__ float values[256];
    __syncthreads();
    values[threadIdx.x] = value;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    }
    __syncthreads();
    return values[0];
}

__global__ void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols) {
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;
    float sum = 0.0f, squares = 0.0f;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) {
        sum += from[j];
        squares += from[j] * from[j];
    }
    float mean = block_sum(sum) / cols;
    float inverse = rsqrtf(block_sum(squares) / cols - mean * mean + 1e-5f);
    for (int j = threadIdx.x; j < cols; j += blockDim.x) to[j] = (from[j] - mean) * inverse * gamma[j] + beta[j];
}
