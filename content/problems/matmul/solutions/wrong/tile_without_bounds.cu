// verdict: memory_error
// The result is guarded, the loads of the tiles are not. Right whenever all sizes are multiples of 16.

constexpr int kTile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * kTile + tx;
    int row = blockIdx.y * kTile + ty;
    float sum = 0.0f;
    for (int p = 0; p < k; p += kTile) {
        tile_a[ty][tx] = a[row * k + p + tx];
        tile_b[ty][tx] = b[(p + ty) * n + col];
        __syncthreads();
        for (int q = 0; q < kTile; ++q) {
            sum += tile_a[ty][q] * tile_b[q][tx];
        }
        __syncthreads();
    }
    if (row < m && col < n) {
        c[row * n + col] = sum;
    }
}
