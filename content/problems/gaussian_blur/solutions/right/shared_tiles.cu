// Both directions in one launch, through a tile in shared memory.
//
// Idea: a block reads 42 x 42 pixels, blurs their rows into a second array, and from there the columns.
// Cost: 42 * 42 reads for 32 * 32 outputs, most of the surplus from L2; 42 * 11 + 32 * 11 reads of shared memory for a column.
// Why 42 rows are blurred for 32: a column needs five rows above and five below.

//! launch gaussian_blur<<<dim3(ceil_div(width, 32), ceil_div(height, 32)), dim3(32, 8)>>>(x, w, y, height, width)

constexpr int kTile = 32, kWide = kTile + 10;

__device__ int inside(int at, int length) { return min(max(at, 0), length - 1); }

__global__ void __launch_bounds__(256) gaussian_blur(const float* __restrict__ x, const float* __restrict__ w,
                                                     float* __restrict__ y, int height, int width) {
    __shared__ float pixels[kWide][kWide], rows[kWide][kTile];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
    float weight[11];
#pragma unroll
    for (int r = 0; r < 11; ++r) weight[r] = w[r];
    for (int e = ty * 32 + tx; e < kWide * kWide; e += 256) {
        int row = inside(row0 + e / kWide - 5, height), col = inside(col0 + e % kWide - 5, width);
        pixels[e / kWide][e % kWide] = x[(long long)row * width + col];
    }
    __syncthreads();
    for (int i = ty; i < kWide; i += 8) {
        float sum = 0.0f;
#pragma unroll
        for (int s = 0; s < 11; ++s) sum += weight[s] * pixels[i][tx + s];
        rows[i][tx] = sum;
    }
    __syncthreads();
    for (int i = ty; i < kTile; i += 8) {
        if (row0 + i >= height || col0 + tx >= width) continue;
        float sum = 0.0f;
#pragma unroll
        for (int r = 0; r < 11; ++r) sum += weight[r] * rows[i + r][tx];
        y[(long long)(row0 + i) * width + col0 + tx] = sum;
    }
}
