// Expected factors of cholesky_tile in double, a warp for each matrix; and how far rounding may carry them.
//! launch expect_factor<<<batch, 32>>>(a, expected_l, magnitude_l, n)

// A lane is a row of L, then a column of L^-1, of spread = |L^-1| |L|, of moved = low(spread spread^T) and of |L| * moved. All of them
// are lower triangular, and zeros above serve to have all lanes take the same way.
__global__ void expect_factor(const float* a, double* expected, double* magnitude, int n) {
    __shared__ double low[32][33], inverse[32][33], spread[32][33];
    const long long start = blockIdx.x * (long long)n * n;
    const int lane = threadIdx.x;
    for (int i = 0; i < 32; ++i) {
        low[i][lane] = i < n && lane <= i ? double(a[start + i * n + lane]) : 0.0;
        inverse[i][lane] = spread[i][lane] = 0.0;
    }
    __syncwarp();
    for (int j = 0; j < n; ++j) {
        double rest = low[lane][j];
        for (int k = 0; k < j; ++k) rest -= low[lane][k] * low[j][k];
        const double root = sqrt(__shfl_sync(0xffffffffu, rest, j));
        __syncwarp();
        low[lane][j] = lane < j ? 0.0 : rest / root;
        __syncwarp();
    }
    for (int i = 0; i < n; ++i) {
        double rest = i == lane ? 1.0 : 0.0;
        for (int k = 0; k < i; ++k) rest -= low[i][k] * inverse[k][lane];
        inverse[i][lane] = rest / low[i][i];
    }
    __syncwarp();
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int k = 0; k <= i; ++k) sum += fabs(inverse[i][k]) * fabs(low[k][lane]);
        spread[i][lane] = sum;
    }
    __syncwarp();
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int k = 0; k <= i; ++k) sum += spread[i][k] * spread[lane][k];
        inverse[i][lane] = lane < i ? sum : lane == i ? sum / 2 : 0.0;  // the inverse is not needed any more
    }
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int k = 0; k <= i; ++k) sum += fabs(low[i][k]) * inverse[k][lane];
        if (lane < n) {
            expected[start + i * n + lane] = low[i][lane];
            magnitude[start + i * n + lane] = sum;
        }
    }
}

// Numbers of an element's own hash below the diagonal, 32 to 40 on it, large ones without meaning above. Rows have 32 numbers: the
// 31 others cannot add up to as much as the diagonal one, and so every matrix is positive definite.
__global__ void fill_a(float* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        const float share = float(bits >> 40) / 16777216.0f;
        const int row = int(i / 32 % 32), column = int(i % 32);
        data[i] = column < row ? 2.0f * share - 1.0f : column == row ? 32.0f + 8.0f * share : 100.0f + 900.0f * share;
    }
}
