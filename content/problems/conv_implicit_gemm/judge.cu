// Expected values of conv_implicit_gemm in double: 64 x 64 tiles of the implicit product, 4 x 4 results for each thread.
//! launch expect_conv<<<dim3(ceil_div(channels_out, 64), ceil_div(batch*((height + 2*padding - side)/stride + 1)*((width + 2*padding - side)/stride + 1), 64)), 256>>>(x, w, expected_y, magnitude_y, batch, height, width, channels_in, channels_out, side, stride, padding)

#include <cuda_fp16.h>

constexpr int kTile = 64, kDepth = 16;

__global__ void __launch_bounds__(256) expect_conv(const half* x, const half* w, double* expected, double* magnitude, int batch,
                                                   int height, int width, int channels_in, int channels_out, int side,
                                                   int stride, int padding) {
    __shared__ double tile_x[kDepth][kTile + 1], tile_w[kDepth][kTile + 1];
    const int rows = (height + 2 * padding - side) / stride + 1, cols = (width + 2 * padding - side) / stride + 1;
    const int pixels = batch * rows * cols, terms = side * side * channels_in;
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int pixel0 = blockIdx.y * kTile, channel0 = blockIdx.x * kTile;
    double sum[4][4] = {}, total[4][4] = {};
    for (int p0 = 0; p0 < terms; p0 += kDepth) {
        for (int e = threadIdx.x; e < kTile * kDepth; e += 256) {
            const int i = e / kDepth, p = p0 + e % kDepth;
            const int tap = p / channels_in, channel = p % channels_in, pixel = pixel0 + i;
            const int row = pixel / cols % rows * stride - padding + tap / side;
            const int col = pixel % cols * stride - padding + tap % side;
            const bool inside = p < terms && pixel < pixels && row >= 0 && row < height && col >= 0 && col < width;
            const long long image = pixel / cols / rows;
            tile_x[p - p0][i] = inside ? __half2float(x[((image * height + row) * width + col) * channels_in + channel]) : 0.0f;
            tile_w[p - p0][i] = p < terms && channel0 + i < channels_out
                                    ? __half2float(w[(long long)(channel0 + i) * terms + p]) : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < kDepth; ++p) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    const double left = tile_x[p][ty + 16 * i], right = tile_w[p][tx + 16 * j];
                    sum[i][j] = fma(left, right, sum[i][j]);
                    total[i][j] = fma(fabs(left), fabs(right), total[i][j]);
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            const int pixel = pixel0 + ty + 16 * i, channel = channel0 + tx + 16 * j;
            if (pixel < pixels && channel < channels_out) {
                expected[(long long)pixel * channels_out + channel] = sum[i][j];
                magnitude[(long long)pixel * channels_out + channel] = total[i][j];
            }
        }
    }
}
