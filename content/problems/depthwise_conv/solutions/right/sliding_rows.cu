// A thread walks down a strip of 32 rows and does four columns at once.
//
// Idea: each input row contributes to five output rows; their sums stay in registers and move up by one.
// Cost: 8 loads for four outputs, and 36 input rows for 32 output rows; memory sees each number little more than once.
// Why four columns: they share inputs too, 8 numbers in place of 20, and 20 sums still fit beside 25 weights.

//! launch depthwise_conv<<<dim3(ceil_div(channels, 32), ceil_div(width, 16), ceil_div(height, 32)), dim3(32, 4)>>>(x, w, y, height, width, channels)

constexpr int kRows = 32, kColumns = 4;

__global__ void __launch_bounds__(128) depthwise_conv(const float* __restrict__ x, const float* __restrict__ w,
                                                      float* __restrict__ y, int height, int width, int channels) {
    const int c = blockIdx.x * 32 + threadIdx.x;
    const int first_col = (blockIdx.y * 4 + threadIdx.y) * kColumns, first_row = blockIdx.z * kRows;
    if (c >= channels || first_col >= width) return;
    float weight[25];
#pragma unroll
    for (int p = 0; p < 25; ++p) weight[p] = w[p * channels + c];

    float sum[5][kColumns] = {};
    const int end = min(first_row + kRows, height);
#pragma unroll 5
    for (int row = first_row - 2; row < end + 2; ++row) {
        float in[kColumns + 4];
#pragma unroll
        for (int s = 0; s < kColumns + 4; ++s) {
            int col = first_col + s - 2;
            bool inside = row >= 0 && row < height && col >= 0 && col < width;
            in[s] = inside ? x[((long long)row * width + col) * channels + c] : 0.0f;
        }
        // sum[k] belongs to output row `row - 2 + k`, for which this input row has the weights of row 4 - k.
#pragma unroll
        for (int k = 0; k < 5; ++k) {
#pragma unroll
            for (int s = 0; s < 5; ++s) {
#pragma unroll
                for (int q = 0; q < kColumns; ++q) sum[k][q] += weight[(4 - k) * 5 + s] * in[q + s];
            }
        }
        const int done = row - 2;
        if (done >= first_row) {
#pragma unroll
            for (int q = 0; q < kColumns; ++q) {
                if (first_col + q < width) y[((long long)done * width + first_col + q) * channels + c] = sum[0][q];
            }
        }
#pragma unroll
        for (int q = 0; q < kColumns; ++q) {
#pragma unroll
            for (int k = 0; k < 4; ++k) sum[k][q] = sum[k + 1][q];
            sum[4][q] = 0.0f;
        }
    }
}
