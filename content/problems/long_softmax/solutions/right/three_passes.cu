// One block, one row, three passes.
//
// Idea: the definition: the maximum, then the sum of the exponentials, then the quotients, all threads side by side along the row.
// Cost: 16 bytes for each element. A row has far more elements than a multiprocessor can hold, so that each pass reads it again;
// and the rows of all blocks together are more than the L2 cache holds.
// Why two arrays: a fast warp may not write its sums where a slow one still reads the maximum.

constexpr int kThreads = 1024;
constexpr float kLowest = -3.402823466e+38f;  // below every float: neutral for a maximum

__global__ void __launch_bounds__(kThreads) long_softmax(const float* x, float* y, int rows, int cols) {
    __shared__ float best[kThreads], sums[kThreads];
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;

    float top = kLowest;
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
