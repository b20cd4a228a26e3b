// verdict: race
// Lanes read numbers of the matrix that other lanes have fetched, without waiting for them.

//! launch triangular_solve<<<ceil_div(batch, 4), 128>>>(l, b, x, batch, n)

constexpr int kSystems = 4;
constexpr unsigned kAll = 0xffffffffu;

__global__ void __launch_bounds__(32 * kSystems) triangular_solve(const float* __restrict__ l, const float* __restrict__ b,
                                                                  float* __restrict__ x, int batch, int n) {
    __shared__ float matrices[kSystems][32][33];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, system = blockIdx.x * kSystems + warp;
    if (system >= batch) return;
    const float* rows = l + (long long)system * n * n;
    float (*matrix)[33] = matrices[warp];
#pragma unroll 8
    for (int i = 0; i < n; ++i) {
        if (lane <= i) matrix[i][lane] = rows[i * n + lane];
    }
    const float inverse = lane < n ? 1.0f / matrix[lane][lane] : 0.0f;
    float rest = lane < n ? b[(long long)system * n + lane] : 0.0f;
    for (int j = 0; j < n; ++j) {
        const float solved = __shfl_sync(kAll, rest * inverse, j);
        if (lane > j && lane < n) rest -= matrix[lane][j] * solved;
    }
    if (lane < n) x[(long long)system * n + lane] = rest * inverse;
}
