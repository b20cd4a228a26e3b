// Softmax of very long rows: y[i, j] = exp(x[i, j] - top) / sum of exp(x[i, k] - top), top being the row's maximum.
//
// Started as long_softmax<<<rows, 1024>>>(x, y, rows, cols), one block for each row. cols is a multiple of 4. The maximum is
// found already. As it stands nothing is divided by the sum.

constexpr float kLowest = -3.402823466e+38f;  // below every float: neutral for a maximum

__global__ void long_softmax(const float* x, float* y, int rows, int cols) {
    __shared__ float best[1024];
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;

    float top = kLowest;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) top = fmaxf(top, from[j]);
    best[threadIdx.x] = top;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) best[threadIdx.x] = fmaxf(best[threadIdx.x], best[threadIdx.x + half]);
    }
    __syncthreads();
    top = best[0];

    float sum = 1.0f;  // fill in: the sum of all exponentials of this row, known to every thread

    for (int j = threadIdx.x; j < cols; j += blockDim.x) to[j] = expf(from[j] - top) / sum;
}
