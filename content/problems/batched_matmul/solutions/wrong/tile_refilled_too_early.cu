// verdict: race
// Without the second barrier a fast warp fills the next tile while a slow one still reads this one.

__global__ void batched_matmul(const float* a, const float* b, float* c, int batch, int m, int n, int k) {
    __shared__ float tile_a[16][16], tile_b[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
    a += (long long)blockIdx.z * m * k;
    b += (long long)blockIdx.z * k * n;
    float sum = 0.0f;
    for (int p0 = 0; p0 < k; p0 += 16) {
        tile_a[ty][tx] = row < m && p0 + tx < k ? a[row * k + p0 + tx] : 0.0f;
        tile_b[ty][tx] = p0 + ty < k && col < n ? b[(p0 + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int p = 0; p < 16; ++p) sum += tile_a[ty][p] * tile_b[p][tx];
    }
    if (row < m && col < n) c[((long long)blockIdx.z * m + row) * n + col] = sum;
}
