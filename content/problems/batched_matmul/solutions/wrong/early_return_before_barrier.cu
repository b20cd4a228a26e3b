// verdict: barrier
// Threads without a result leave at once, and the others wait for them at the barrier.

__global__ void batched_matmul(const float* a, const float* b, float* c, int batch, int m, int n, int k) {
    __shared__ float tile_a[16][16], tile_b[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
    if (row >= m || col >= n) return;
    a += (long long)blockIdx.z * m * k;
    b += (long long)blockIdx.z * k * n;
    float sum = 0.0f;
    for (int p0 = 0; p0 < k; p0 += 16) {
        tile_a[ty][tx] = p0 + tx < k ? a[row * k + p0 + tx] : 0.0f;
        tile_b[ty][tx] = p0 + ty < k ? b[(p0 + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int p = 0; p < 16 && p0 + p < k; ++p) sum += tile_a[ty][p] * tile_b[p][tx];
        __syncthreads();
    }
    c[((long long)blockIdx.z * m + row) * n + col] = sum;
}
