// verdict: memory_error
// Every lane has a row to write, also where the matrix has fewer than 32.

//! launch cholesky_tile<<<ceil_div(batch, 4), 128>>>(a, l, batch, n)

constexpr int kMatrices = 4;
constexpr unsigned kAll = 0xffffffffu;

__global__ void __launch_bounds__(32 * kMatrices) cholesky_tile(const float* __restrict__ a, float* __restrict__ l, int batch,
                                                                int n) {
    __shared__ float tiles[kMatrices][32][33];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, matrix = blockIdx.x * kMatrices + warp;
    if (matrix >= batch) return;
    const long long start = (long long)matrix * n * n;
    float (*low)[33] = tiles[warp];
#pragma unroll 8
    for (int i = 0; i < n; ++i) low[i][lane] = lane <= i ? a[start + i * n + lane] : 0.0f;
    __syncwarp();
    for (int j = 0; j < n; ++j) {
        float rest = lane >= j && lane < n ? low[lane][j] : 0.0f;
        if (lane >= j && lane < n) {
            for (int k = 0; k < j; ++k) rest -= low[lane][k] * low[j][k];
        }
        const float root = sqrtf(__shfl_sync(kAll, rest, j));
        if (lane >= j && lane < n) low[lane][j] = lane == j ? root : rest / root;
        __syncwarp();
    }
#pragma unroll 8
    for (int i = 0; i < n; ++i) {
        l[start + i * n + lane] = low[i][lane];
    }
}
