// verdict: wrong_answer
// k / 16 tiles, rounded down: what is left of k is never added.

__global__ void batched_matmul(const float* a, const float* b, float* c, int batch, int m, int n, int k) {
    __shared__ float tile_a[16][16], tile_b[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
    a += (long long)blockIdx.z * m * k;
    b += (long long)blockIdx.z * k * n;
    float sum = 0.0f;
    for (int t = 0; t < k / 16; ++t) {
        tile_a[ty][tx] = row < m ? a[row * k + t * 16 + tx] : 0.0f;
        tile_b[ty][tx] = col < n ? b[(t * 16 + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int p = 0; p < 16; ++p) sum += tile_a[ty][p] * tile_b[p][tx];
        __syncthreads();
    }
    if (row < m && col < n) c[((long long)blockIdx.z * m + row) * n + col] = sum;
}
