// verdict: wrong_answer
// Reads the weights column by column. Coalesced and fast, but the matrix is stored the other way round.

__global__ void dense_sigmoid(const float* w, const float* x, const float* b, float* y, int m, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m) {
        float z = b[row];
        for (int j = 0; j < n; ++j) {
            z += w[(long long)j * m + row] * x[j];
        }
        y[row] = 1.0f / (1.0f + expf(-z));
    }
}
