//! launch softmax<<<rows, 64, 4*cols>>>(x, y, rows, cols)
// The row lies in dynamic shared memory; every thread walks over all of it.
__global__ void softmax(const float* x, float* y, int rows, int cols) {
    extern __shared__ float row[];
    for (int j = threadIdx.x; j < cols; j += blockDim.x) row[j] = x[(size_t)blockIdx.x * cols + j];
    __syncthreads();
    float top = row[0], sum = 0;
    for (int j = 1; j < cols; ++j) top = row[j] > top ? row[j] : top;
    for (int j = 0; j < cols; ++j) sum += expf(row[j] - top);
    for (int j = threadIdx.x; j < cols; j += blockDim.x) y[(size_t)blockIdx.x * cols + j] = expf(row[j] - top) / sum;
}
