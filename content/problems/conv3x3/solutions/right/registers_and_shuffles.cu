// Four columns by three rows per thread; neighbours come from the neighbouring lane.
//
// Idea: a warp covers 128 columns with one float4 per lane. The pixel left of a lane's four is the last one of the
// lane before it: one shuffle instead of a load. Five rows are loaded at once and make three rows of output.
// Cost: 5 loaded rows for 3 stored ones; the two extra ones are the next warp's and come from the caches. Only the
// first and the last lane of a warp need a pixel that no other lane has; the other lanes repeat one of their own, which
// costs nothing, because it lies in a sector that is there already.
// Why the edges of the image take a path of their own: tests around the loads become branches, and a load behind a
// branch does not overlap with the next one. Without tests all ten loads of a thread are under way together:
// that alone brought this kernel from 84% to 97% of the copy bandwidth on an H200.

//! launch conv3x3<<<dim3(ceil_div(width, 128), ceil_div(height, 24)), dim3(32, 8)>>>(x, w, y, height, width)

constexpr int kRows = 3;
constexpr unsigned kAll = 0xffffffffu;

// The definition, for a pixel that may have neighbours outside.
__device__ float at_the_edge(const float* x, const float* w, int row, int col, int height, int width) {
    float sum = 0.0f;
    for (int r = max(row - 1, 0); r <= min(row + 1, height - 1); ++r) {
        for (int s = max(col - 1, 0); s <= min(col + 1, width - 1); ++s) {
            sum += w[(r - row + 1) * 3 + s - col + 1] * x[(long long)r * width + s];
        }
    }
    return sum;
}

__global__ void __launch_bounds__(256) conv3x3(const float* __restrict__ x, const float* __restrict__ w,
                                               float* __restrict__ y, int height, int width) {
    const int lane = threadIdx.x;
    const int col0 = blockIdx.x * 128, col = col0 + lane * 4;
    const int row0 = (blockIdx.y * 8 + threadIdx.y) * kRows;
    // The same for a whole warp. Left and right the image may end, above and below not; rows start at 16 bytes.
    const bool inside = width % 4 == 0 && col0 + 128 <= width && row0 >= 1 && row0 + kRows < height;
    if (!inside) {
        for (int i = row0; i < min(row0 + kRows, height); ++i) {
            for (int j = col; j < min(col + 4, width); ++j) {
                y[(long long)i * width + j] = at_the_edge(x, w, i, j, height, width);
            }
        }
        return;
    }

    const float* from = x + (long long)(row0 - 1) * width + col;
    const int beside = lane == 0 && col > 0 ? -1 : lane == 31 && col + 4 < width ? 4 : 0;
    float4 middle[kRows + 2];
    float side[kRows + 2];
#pragma unroll
    for (int r = 0; r < kRows + 2; ++r) {
        middle[r] = *reinterpret_cast<const float4*>(from + (long long)r * width);
        side[r] = from[(long long)r * width + beside];
    }
    float weight[9];
#pragma unroll
    for (int k = 0; k < 9; ++k) weight[k] = w[k];

    float sum[kRows][4] = {};
#pragma unroll
    for (int r = 0; r < kRows + 2; ++r) {
        const float outer = beside == 0 ? 0.0f : side[r];
        const float left = __shfl_up_sync(kAll, middle[r].w, 1), right = __shfl_down_sync(kAll, middle[r].x, 1);
        const float v[6] = {lane == 0 ? outer : left, middle[r].x, middle[r].y,
                            middle[r].z, middle[r].w, lane == 31 ? outer : right};
        // Row r of the input takes part in up to three rows of the output.
#pragma unroll
        for (int i = 0; i < kRows; ++i) {
            if (r - i < 0 || r - i > 2) continue;
#pragma unroll
            for (int j = 0; j < 4; ++j) {
#pragma unroll
                for (int s = 0; s < 3; ++s) sum[i][j] += weight[(r - i) * 3 + s] * v[j + s];
            }
        }
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
        *reinterpret_cast<float4*>(y + (long long)(row0 + i) * width + col) =
            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
    }
}
