__global__ void dense_sigmoid(const float* w, const float* x, const float* b, float* y, int m, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m)
        return;
    float sum = b[row];
    for (int j = 0; j < n; ++j)
        sum += w[row * n + j] * x[j];
    y[row] = 1.0f / (1.0f + expf(-sum));
}
