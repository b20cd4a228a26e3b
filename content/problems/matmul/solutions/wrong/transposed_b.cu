// verdict: wrong_answer
// Reads B as if it were stored column by column. Every access is inside the array, so nothing but the values tells.

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int p = 0; p < k; ++p) {
            sum += a[row * k + p] * b[col * k + p];
        }
        c[row * n + col] = sum;
    }
}
