// 64 x 64 tiles with 16-byte accesses on both sides.
//
// Idea: where both sizes are multiples of 4 a thread reads four float4 along rows of x, scatters them into the tile
// and gathers four float4 along rows of y.
// Cost: the same bytes as the padded tile with a quarter of the memory instructions, and every row piece that a
// block touches is 256 bytes long, which keeps DRAM pages open longer.
// Why 65 columns: the scattered accesses of a warp then meet each bank at most twice; shared memory has four times
// the bandwidth that is needed here, so twice is free.

//! launch transpose<<<dim3(ceil_div(cols, 64), ceil_div(rows, 64)), 256>>>(x, y, rows, cols)

constexpr int kTile = 64;

__global__ void __launch_bounds__(256) transpose(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
    __shared__ float tile[kTile][kTile + 1];
    const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
    const int quad = threadIdx.x % 16 * 4;  // four neighbours along a row, of x first and of y later
    const int line = threadIdx.x / 16;      // and one of 16 rows
    const bool inside = row0 + kTile <= rows && col0 + kTile <= cols && rows % 4 == 0 && cols % 4 == 0;

    if (inside) {
        float4 v[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float* from = x + (long long)(row0 + line + 16 * k) * cols + col0 + quad;
            v[k] = *reinterpret_cast<const float4*>(from);
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float* to = &tile[line + 16 * k][quad];
            to[0] = v[k].x;
            to[1] = v[k].y;
            to[2] = v[k].z;
            to[3] = v[k].w;
        }
    } else {
        for (int k = 0; k < kTile; k += 16) {
            for (int j = 0; j < 4; ++j) {
                int row = row0 + line + k, col = col0 + quad + j;
                if (row < rows && col < cols) tile[line + k][quad + j] = x[(long long)row * cols + col];
            }
        }
    }
    __syncthreads();
    if (inside) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int col = line + 16 * k;
            float4 v = make_float4(tile[quad][col], tile[quad + 1][col], tile[quad + 2][col], tile[quad + 3][col]);
            *reinterpret_cast<float4*>(y + (long long)(col0 + col) * rows + row0 + quad) = v;
        }
    } else {
        for (int k = 0; k < kTile; k += 16) {
            for (int j = 0; j < 4; ++j) {
                int col = col0 + line + k, row = row0 + quad + j;
                if (row < rows && col < cols) y[(long long)col * rows + row] = tile[quad + j][line + k];
            }
        }
    }
}
