// verdict: wrong_answer
// Starting the maximum at 0 is only right if the row has a positive element. For a row far below zero every exponential is 0, and
// 0 / 0 is not a number.

constexpr int kThreads = 1024;

__global__ void __launch_bounds__(kThreads) long_softmax(const float* x, float* y, int rows, int cols) {
    __shared__ float best[kThreads], sums[kThreads];
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;

    float top = 0.0f;
    for (int j = threadIdx.x; j < cols; j += kThreads) top = fmaxf(top, from[j]);
    best[threadIdx.x] = top;
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) best[threadIdx.x] = fmaxf(best[threadIdx.x], best[threadIdx.x + half]);
    }
    __syncthreads();
    top = best[0];

    float sum = 0.0f;
    for (int j = threadIdx.x; j < cols; j += kThreads) sum += expf(from[j] - top);
    sums[threadIdx.x] = sum;
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    __syncthreads();
    const float scale = 1.0f / sums[0];
    for (int j = threadIdx.x; j < cols; j += kThreads) to[j] = expf(from[j] - top) * scale;
}
