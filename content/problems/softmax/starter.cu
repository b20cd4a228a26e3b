// Softmax of every row: y[i, j] = exp(x[i, j] - top) / sum of exp(x[i, k] - top), top being the row's maximum.
//
// Started as softmax<<<rows, 256>>>(x, y, rows, cols), one block per row. The maximum is found already. As it stands
// the exponentials are stored without being divided by their sum.

constexpr float kLowest = -3.402823466e+38f;  // below every float: neutral for a maximum

__global__ void softmax(const float* x, float* y, int rows, int cols) {
    __shared__ float best[256];
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;

    float top = kLowest;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) {
        top = fmaxf(top, from[j]);
    }
    best[threadIdx.x] = top;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            best[threadIdx.x] = fmaxf(best[threadIdx.x], best[threadIdx.x + half]);
        }
    }
    __syncthreads();
    top = best[0];

    float sum = 1.0f;  // fill in: the sum of all exponentials of this row, known to every thread

    for (int j = threadIdx.x; j < cols; j += blockDim.x) {
        to[j] = expf(from[j] - top) / sum;
    }
}
