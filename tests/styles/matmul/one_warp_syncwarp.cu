//! launch matmul<<<dim3(ceil_div(n, 8), ceil_div(m, 4)), dim3(8, 4)>>>(a, b, c, m, n, k)
// A block of one warp: tiles guarded by __syncwarp alone.
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float u[4][8], v[8][8];
    int row = blockIdx.y * 4 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;
    float sum = 0;
    for (int p = 0; p < k; p += 8) {
        u[threadIdx.y][threadIdx.x] = row < m && p + threadIdx.x < k ? a[row * k + p + threadIdx.x] : 0;
        for (int h = threadIdx.y; h < 8; h += 4) v[h][threadIdx.x] = p + h < k && col < n ? b[(p + h) * n + col] : 0;
        __syncwarp();
        for (int q = 0; q < 8; ++q) sum += u[threadIdx.y][q] * v[q][threadIdx.x];
        __syncwarp();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
