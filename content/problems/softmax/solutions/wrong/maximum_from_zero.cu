// verdict: wrong_answer
// Starting the maximum at 0 is only right if the row has a positive element. For a row far below zero every
// exponential underflows, and 0 / 0 is not a number.

__global__ void softmax(const float* x, float* y, int rows, int cols) {
    if (threadIdx.x > 0) return;
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;
    float top = 0.0f, sum = 0.0f;
    for (int j = 0; j < cols; ++j) top = fmaxf(top, from[j]);
    for (int j = 0; j < cols; ++j) sum += expf(from[j] - top);
    for (int j = 0; j < cols; ++j) to[j] = expf(from[j] - top) / sum;
}
