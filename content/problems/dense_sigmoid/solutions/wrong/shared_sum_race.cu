// verdict: race
// Eight warps share one row and add their parts to the same shared word without an atomic operation.

//! launch dense_sigmoid<<<m, 256>>>(w, x, b, y, m, n)

__global__ void dense_sigmoid(const float* w, const float* x, const float* b, float* y, int m, int n) {
    __shared__ float total;
    int row = blockIdx.x;
    if (threadIdx.x == 0) total = b[row];
    __syncthreads();
    float sum = 0.0f;
    for (int j = threadIdx.x; j < n; j += 256) {
        sum += w[(long long)row * n + j] * x[j];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    }
    if (threadIdx.x % 32 == 0) {
        total += sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        y[row] = 1.0f / (1.0f + expf(-total));
    }
}
