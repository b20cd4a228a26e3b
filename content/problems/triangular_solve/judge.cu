// Expected solutions of triangular_solve in double: a warp for each system; and how far rounding may carry them.
//! launch expect_solution<<<ceil_div(batch, 4), 128>>>(l, b, expected_x, magnitude_x, batch, n)

// Solves with the row of lane i in lane i. With `sizes` the diagonal is taken positive and everything below it negative, so that
// all terms add up.
__device__ double substitute(const float* rows, double right, int lane, int n, bool sizes) {
    for (int j = 0; j < n; ++j) {
        const double diagonal = rows[j * (long long)n + j];
        const double solved = __shfl_sync(0xffffffffu, right, j) / (sizes ? fabs(diagonal) : diagonal);
        if (lane == j) right = solved;
        if (lane > j && lane < n) {
            const double factor = rows[lane * (long long)n + j];
            right += (sizes ? fabs(factor) : -factor) * solved;
        }
    }
    return right;
}

__global__ void expect_solution(const float* l, const float* b, double* expected, double* magnitude, int batch, int n) {
    const int system = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (system >= batch) return;
    const float* rows = l + system * (long long)n * n;
    const double right = lane < n ? b[system * (long long)n + lane] : 0.0;
    const double solution = substitute(rows, right, lane, n, false);
    const double first = substitute(rows, fabs(right), lane, n, true);
    double product = 0.0;
    for (int j = 0; j < n; ++j) {
        const double other = __shfl_sync(0xffffffffu, first, j);
        if (j <= lane && lane < n) product += fabs(double(rows[lane * (long long)n + j])) * other;
    }
    const double size = substitute(rows, product, lane, n, true);
    if (lane < n) {
        expected[system * (long long)n + lane] = solution;
        magnitude[system * (long long)n + lane] = size;
    }
}

// Numbers of a float's own hash; a diagonal of 6 to 12, and large numbers without meaning above it. Rows have 32 numbers.
__global__ void fill_l(float* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        const float share = float(bits >> 40) / 16777216.0f;
        const int row = int(i / 32 % 32), column = int(i % 32);
        data[i] = column < row ? 2.0f * share - 1.0f : column == row ? 6.0f + 6.0f * share : 100.0f + 900.0f * share;
    }
}
