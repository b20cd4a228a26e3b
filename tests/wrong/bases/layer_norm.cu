__device__ float block_sum(float value, float* s) {
    int t = threadIdx.x;
    s[t] = value;
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (t < h)
            s[t] += s[t + h];
        __syncthreads();
    }
    value = s[0];
    __syncthreads();
    return value;
}

__global__ void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols) {
    __shared__ float s[256];
    int t = threadIdx.x;
    const float* in = x + blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = t; j < cols; j += 256)
        sum += in[j];
    float mean = block_sum(sum, s) / cols;
    float squares = 0.0f;
    for (int j = t; j < cols; j += 256)
        squares += (in[j] - mean) * (in[j] - mean);
    float variance = block_sum(squares, s) / cols;
    float inverse = 1.0f / sqrtf(variance + 1e-5f);
    for (int j = t; j < cols; j += 256)
        y[blockIdx.x * cols + j] = (in[j] - mean) * inverse * gamma[j] + beta[j];
}
