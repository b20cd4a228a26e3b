#define T 16
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float sa[T][T], sb[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * T + tx, row = blockIdx.y * T + ty;
    float sum = 0.0f;
    for (int start = 0; start < k; start += T) {
        sa[ty][tx] = row < m && start + tx < k ? a[row * k + start + tx] : 0.0f;
        sb[ty][tx] = start + ty < k && col < n ? b[(start + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int p = 0; p < T; ++p)
            sum += sa[ty][p] * sb[p][tx];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
