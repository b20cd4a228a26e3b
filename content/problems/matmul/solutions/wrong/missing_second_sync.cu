// verdict: race
// The barrier after the inner loop is missing: a fast warp overwrites the tile while a slow one still reads it.

constexpr int kTile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * kTile + tx;
    int row = blockIdx.y * kTile + ty;
    float sum = 0.0f;
    for (int p = 0; p < k; p += kTile) {
        tile_a[ty][tx] = row < m && p + tx < k ? a[row * k + p + tx] : 0.0f;
        tile_b[ty][tx] = p + ty < k && col < n ? b[(p + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int q = 0; q < kTile; ++q) {
            sum += tile_a[ty][q] * tile_b[q][tx];
        }
    }
    if (row < m && col < n) {
        c[row * n + col] = sum;
    }
}
