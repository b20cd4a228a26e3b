// verdict: race
// The array of the maxima is used again for the sums before all threads have read the maximum.

__global__ void cross_entropy(const float* x, const int* target, float* loss, float* grad, int rows, int cols) {
    __shared__ float parts[256];
    const int t = threadIdx.x;
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = grad + (long long)blockIdx.x * cols;
    float top = -3.402823466e38f, sum = 0.0f;
    for (int j = t; j < cols; j += 256) top = fmaxf(top, from[j]);
    parts[t] = top;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) parts[t] = fmaxf(parts[t], parts[t + half]);
    }
    __syncthreads();
    top = parts[0];
    for (int j = t; j < cols; j += 256) sum += expf(from[j] - top);
    parts[t] = sum;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) parts[t] += parts[t + half];
    }
    __syncthreads();
    sum = parts[0];
    const int wanted = target[blockIdx.x];
    if (t == 0) loss[blockIdx.x] = logf(sum) - (from[wanted] - top);
    for (int j = t; j < cols; j += 256) to[j] = expf(from[j] - top) / sum - (j == wanted ? 1.0f : 0.0f);
}
