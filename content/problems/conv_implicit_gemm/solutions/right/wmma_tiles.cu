// 128 pixels x 128 channels for a block on tensor cores, the next tile on its way while this one is used.
//
// Idea: hgemm with other addresses. cp.async copies eight channels at a time and writes zeros where the pixel lies outside the image,
// so that padding costs neither a branch nor a copy of the image with a frame.
// Cost: for each 16 terms a warp loads 6 fragments and makes 8 products of 16 x 16 x 16; two buffers of 2 x 128 rows take 40 KB.
// Why pixels are looked up once: a thread fetches the same two rows of every tile; where they begin stays in registers.
// Why unsigned: a row above the image, -1, is then more than any height, and one comparison is enough.
// Why results go through shared memory: pixels come in any number, and a fragment could hang over the end.

//! launch conv_implicit_gemm<<<dim3(ceil_div(channels_out, 128), ceil_div(batch*((height + 2*padding - side)/stride + 1)*((width + 2*padding - side)/stride + 1), 128)), 256>>>(x, w, y, batch, height, width, channels_in, channels_out, side, stride, padding)

#include <mma.h>
using namespace nvcuda;

constexpr int kTile = 128, kDepth = 32, kPitch = kDepth + 8;

// 16 bytes from device to shared memory, zeros if the source lies outside.
__device__ __forceinline__ void copy16(half* to, const half* from, bool inside) {
    unsigned address = unsigned(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(inside ? 16 : 0)
                 : "memory");
}

__global__ void __launch_bounds__(256) conv_implicit_gemm(const half* x, const half* w, float* y, int batch, int height,
                                                          int width, int channels_in, int channels_out, int side, int stride,
                                                          int padding) {
    __shared__ __align__(128) half tile_x[2][kTile][kPitch];
    __shared__ __align__(128) half tile_w[2][kTile][kPitch];
    const int rows = (height + 2 * padding - side) / stride + 1, cols = (width + 2 * padding - side) / stride + 1;
    const int pixels = batch * rows * cols, terms = side * side * channels_in;
    const int pixel0 = blockIdx.y * kTile, channel0 = blockIdx.x * kTile;

    // Four neighbouring threads fetch the 32 terms of a row, eight each; the second row is 64 further down.
    const int r = threadIdx.x / 4, piece = threadIdx.x % 4 * 8;
    int row0[2], col0[2];
    const half *image[2], *weights[2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        const int pixel = pixel0 + r + 64 * h;
        row0[h] = pixel < pixels ? pixel / cols % rows * stride - padding : -side;  // behind the end: outside of any image
        col0[h] = pixel % cols * stride - padding;
        image[h] = x + (long long)(pixel / cols / rows) * height * width * channels_in;
        weights[h] = w + (long long)(channel0 + r + 64 * h) * terms;
    }
    auto fetch = [&](int buffer, int p0) {
        const int p = p0 + piece, tap = p / channels_in, channel = p % channels_in;
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int row = row0[h] + tap / side, col = col0[h] + tap % side;
            const bool x_inside = (p < terms) & (unsigned(row) < unsigned(height)) & (unsigned(col) < unsigned(width));
            const bool w_inside = (p < terms) & (channel0 + r + 64 * h < channels_out);
            copy16(&tile_x[buffer][r + 64 * h][piece],
                   x_inside ? image[h] + (row * width + col) * channels_in + channel : x, x_inside);
            copy16(&tile_w[buffer][r + 64 * h][piece], w_inside ? weights[h] + p : w, w_inside);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int low = warp / 4 * 64, left = warp % 4 * 32;  // of this warp's 64 x 32 results
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 2; ++j) wmma::fill_fragment(sum[i][j], 0.0f);
    }
    fetch(0, 0);
    int buffer = 0;
    for (int p0 = 0; p0 < terms; p0 += kDepth) {
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();  // this tile has arrived for everybody, and nobody uses the other buffer any more
        if (p0 + kDepth < terms) fetch(buffer ^ 1, p0 + kDepth);
#pragma unroll
        for (int p = 0; p < kDepth; p += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fx[4];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fw[2];
#pragma unroll
            for (int i = 0; i < 4; ++i) wmma::load_matrix_sync(fx[i], &tile_x[buffer][low + 16 * i][p], kPitch);
#pragma unroll
            for (int j = 0; j < 2; ++j) wmma::load_matrix_sync(fw[j], &tile_w[buffer][left + 16 * j][p], kPitch);
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#pragma unroll
                for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], fx[i], fw[j], sum[i][j]);
            }
        }
        buffer ^= 1;
    }
    __syncthreads();  // nobody needs the tiles any more: each warp takes a kilobyte of them
    float* mine = reinterpret_cast<float*>(tile_x) + warp * 256;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            wmma::store_matrix_sync(mine, sum[i][j], 16, wmma::mem_row_major);
            __syncwarp();
            for (int e = lane; e < 64; e += 32) {
                const int pixel = pixel0 + low + 16 * i + e / 4, channel = channel0 + left + 16 * j + e % 4 * 4;
                if (pixel < pixels && channel < channels_out) {
                    *reinterpret_cast<float4*>(y + (long long)pixel * channels_out + channel) =
                        reinterpret_cast<const float4*>(mine)[e];
                }
            }
            __syncwarp();
        }
    }
}
