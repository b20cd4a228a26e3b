// verdict: race
// Without the second barrier a fast warp fills the next tile while a slow one still reads this one.

//! launch conv_implicit_gemm<<<dim3(ceil_div(channels_out, 64), ceil_div(batch*((height + 2*padding - side)/stride + 1)*((width + 2*padding - side)/stride + 1), 64)), 256>>>(x, w, y, batch, height, width, channels_in, channels_out, side, stride, padding)

#include <cuda_fp16.h>

constexpr int kTile = 64, kDepth = 16;

__global__ void __launch_bounds__(256) conv_implicit_gemm(const half* x, const half* w, float* y, int batch, int height,
                                                          int width, int channels_in, int channels_out, int side, int stride,
                                                          int padding) {
    __shared__ float tile_x[kDepth][kTile + 1], tile_w[kDepth][kTile + 1];
    const int rows = (height + 2 * padding - side) / stride + 1, cols = (width + 2 * padding - side) / stride + 1;
    const int pixels = batch * rows * cols, terms = side * side * channels_in;
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    const int pixel0 = blockIdx.y * kTile, channel0 = blockIdx.x * kTile;

    // A quarter of 16 channels for each thread, of one pixel and of one filter.
    const int i = threadIdx.x / 4, piece = threadIdx.x % 4 * 4, pixel = pixel0 + i;
    const int row0 = pixel / cols % rows * stride - padding, col0 = pixel % cols * stride - padding;
    const half* image = x + (long long)(pixel / cols / rows) * height * width * channels_in;

    float sum[4][4] = {};
    for (int p0 = 0; p0 < terms; p0 += kDepth) {
        const int tap = p0 / channels_in, row = row0 + tap / side, col = col0 + tap % side;
        const bool inside = pixel < pixels && row >= 0 && row < height && col >= 0 && col < width;
        const half* from = image + ((long long)row * width + col) * channels_in + p0 % channels_in + piece;
        const half* weights = w + (long long)(channel0 + i) * terms + p0 + piece;
        for (int q = 0; q < 4; ++q) {
            tile_x[piece + q][i] = inside ? __half2float(from[q]) : 0.0f;
            tile_w[piece + q][i] = channel0 + i < channels_out ? __half2float(weights[q]) : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < kDepth; ++p) {
            float left[4], right[4];
#pragma unroll
            for (int a = 0; a < 4; ++a) {
                left[a] = tile_x[p][ty + 16 * a];
                right[a] = tile_w[p][tx + 16 * a];
            }
#pragma unroll
            for (int a = 0; a < 4; ++a) {
#pragma unroll
                for (int b = 0; b < 4; ++b) sum[a][b] += left[a] * right[b];
            }
        }
    }
    for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < 4; ++b) {
            const int to = pixel0 + ty + 16 * a, channel = channel0 + tx + 16 * b;
            if (to < pixels && channel < channels_out) y[(long long)to * channels_out + channel] = sum[a][b];
        }
    }
}
