//! launch matmul<<<m, 64>>>(a, b, c, m, n, k)
// A block for a row; its row of a in shared memory as a whole, pointers walk down b.
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float row[64];
    for (int col0 = 0; col0 < n; col0 += 64) {
        int col = col0 + threadIdx.x;
        float sum = 0;
        for (int p0 = 0; p0 < k; p0 += 64) {
            __syncthreads();
            row[threadIdx.x] = p0 + threadIdx.x < k ? a[blockIdx.x * k + p0 + threadIdx.x] : 0;
            __syncthreads();
            const float* down = b + (size_t)p0 * n + col;
            for (int q = 0; q < min(64, k - p0) && col < n; ++q, down += n) sum += row[q] * *down;
        }
        if (col < n) c[blockIdx.x * n + col] = sum;
    }
}
