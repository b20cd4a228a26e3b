// Each block has a piece of k and makes all results over it; a second launch adds up the pieces.
//
// Idea: the result is too small to be divided, the sum is not.
// Cost: 4 bytes for each number of a and b, and 4 KB of partial sums for each piece of 4096 columns.
// Why a second launch and no atomics: the order of its additions is fixed, so equal inputs give equal bits.

//! scratch partial float m*n*ceil_div(k, 4096)
//! launch multiply_pieces<<<dim3(ceil_div(k, 4096), ceil_div(n, 32), ceil_div(m, 32)), 256>>>(a, b, partial, m, n, k)
//! launch add_pieces<<<ceil_div(m*n, 8), 256>>>(partial, c, m*n, ceil_div(k, 4096))

constexpr int kPiece = 4096, kTile = 32;

__global__ void __launch_bounds__(256) multiply_pieces(const float* __restrict__ a, const float* __restrict__ b,
                                                       float* __restrict__ partial, int m, int n, int k) {
    __shared__ float tile_a[kTile][kTile + 1], tile_b[kTile][kTile + 1];
    const int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
    const int row0 = blockIdx.z * kTile, col0 = blockIdx.y * kTile;
    const int begin = blockIdx.x * kPiece, end = min(k, begin + kPiece);
    float sum[4] = {};
    for (int p0 = begin; p0 < end; p0 += kTile) {
#pragma unroll
        for (int q = 0; q < 4; ++q) {
            int row = ty + 8 * q;
            bool inside = p0 + tx < end;
            tile_a[row][tx] = inside && row0 + row < m ? a[(long long)(row0 + row) * k + p0 + tx] : 0.0f;
            tile_b[row][tx] = inside && col0 + row < n ? b[(long long)(col0 + row) * k + p0 + tx] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < kTile; ++p) {
            float right = tile_b[tx][p];
#pragma unroll
            for (int q = 0; q < 4; ++q) sum[q] += tile_a[ty + 8 * q][p] * right;
        }
        __syncthreads();
    }
#pragma unroll
    for (int q = 0; q < 4; ++q) {
        int row = row0 + ty + 8 * q, col = col0 + tx;
        if (row < m && col < n) partial[(long long)blockIdx.x * m * n + row * n + col] = sum[q];
    }
}

__global__ void __launch_bounds__(256) add_pieces(const float* partial, float* c, int elements, int pieces) {
    const int e = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (e >= elements) return;
    float sum = 0.0f;
    for (int s = lane; s < pieces; s += 32) sum += partial[(long long)s * elements + e];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0) c[e] = sum;
}
