//! launch matmul<<<dim3(ceil_div(n, 32), ceil_div(m, 32)), dim3(8, 8)>>>(a, b, c, m, n, k)
// A 4 x 4 accumulator in registers for each thread, tiles of depth 8.
__global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
    __shared__ float u[8][33], v[8][32];
    float sum[4][4] = {};
    const int t = threadIdx.y * 8 + threadIdx.x, row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
    for (int p = 0; p < k; p += 8) {
        for (int i = t; i < 256; i += 64) {
            int r = i / 8, q = i % 8;
            u[q][r] = row0 + r < m && p + q < k ? a[(size_t)(row0 + r) * k + p + q] : 0.0f;
            v[i / 32][i % 32] = p + i / 32 < k && col0 + i % 32 < n ? b[(size_t)(p + i / 32) * n + col0 + i % 32] : 0.0f;
        }
        __syncthreads();
        for (int q = 0; q < 8; ++q) {
            float x[4], y[4];
            for (int i = 0; i < 4; ++i) x[i] = u[q][threadIdx.y * 4 + i], y[i] = v[q][threadIdx.x + i * 8];
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) sum[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            int row = row0 + threadIdx.y * 4 + i, col = col0 + threadIdx.x + j * 8;
            if (row < m && col < n) c[(size_t)row * n + col] = sum[i][j];
        }
}
