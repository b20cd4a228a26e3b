// A warp for each matrix, and each lane keeps its row in 32 registers.
//
// Idea: as soon as a column is known, all columns behind it subtract their part of it. The own row is in registers; of the others a
// lane needs column j alone, and that is 32 numbers in shared memory, read four at a time, by all lanes from the same address.
// Cost: in step j one store, at most eight loads and 31 - j multiply-adds: about a quarter of a load for each multiply-add.
// Why the loops are unrolled: registers have no index. Steps behind the matrix are left out by a test that all lanes agree on.
// Why two places for the column: while slow lanes still read one, fast ones write the next; so one barrier for each step is enough.
// Why the reciprocal root: one for each step, multiplied by, replaces a root and a division; the bound has room for it.

//! launch cholesky_tile<<<ceil_div(batch, 4), 128>>>(a, l, batch, n)

constexpr int kMatrices = 4, kRows = 32;
constexpr unsigned kAll = 0xffffffffu;

__global__ void __launch_bounds__(32 * kMatrices) cholesky_tile(const float* __restrict__ a, float* __restrict__ l, int batch,
                                                                int n) {
    __shared__ float tiles[kMatrices][kRows][kRows + 1];
    __shared__ __align__(16) float columns[kMatrices][2][kRows];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, matrix = blockIdx.x * kMatrices + warp;
    if (matrix >= batch) return;
    const long long start = (long long)matrix * n * n;
    float (*tile)[kRows + 1] = tiles[warp];
#pragma unroll 8
    for (int i = 0; i < kRows; ++i) tile[i][lane] = i < n && lane <= i ? a[start + i * n + lane] : 0.0f;
    __syncwarp();
    float row[kRows];
#pragma unroll
    for (int k = 0; k < kRows; ++k) row[k] = tile[lane][k];

#pragma unroll
    for (int j = 0; j < kRows; ++j) {
        if (j < n) {
            row[j] *= rsqrtf(__shfl_sync(kAll, row[j], j));
            float* column = columns[warp][j % 2];
            column[lane] = row[j];
            __syncwarp();
#pragma unroll
            for (int k = (j + 1) / 4 * 4; k < kRows; k += 4) {
                const float4 other = *reinterpret_cast<const float4*>(column + k);
                if (k > j) row[k] -= row[j] * other.x;
                if (k + 1 > j) row[k + 1] -= row[j] * other.y;
                if (k + 2 > j) row[k + 2] -= row[j] * other.z;
                row[k + 3] -= row[j] * other.w;
            }
        }
    }
#pragma unroll
    for (int k = 0; k < kRows; ++k) tile[lane][k] = k <= lane ? row[k] : 0.0f;
    __syncwarp();
#pragma unroll 8
    for (int i = 0; i < n; ++i) {
        if (lane < n) l[start + i * n + lane] = tile[i][lane];
    }
}
