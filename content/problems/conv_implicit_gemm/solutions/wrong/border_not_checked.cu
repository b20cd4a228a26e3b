// verdict: memory_error
// Nobody asks whether the pixel lies inside the image.

#include <cuda_fp16.h>

__global__ void conv_implicit_gemm(const half* x, const half* w, float* y, int batch, int height, int width, int channels_in,
                                   int channels_out, int side, int stride, int padding) {
    const int rows = (height + 2 * padding - side) / stride + 1, cols = (width + 2 * padding - side) / stride + 1;
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= batch * rows * cols * channels_out) return;
    const int channel = at % channels_out, pixel = at / channels_out;
    const int j = pixel % cols, i = pixel / cols % rows, image = pixel / cols / rows;
    float sum = 0.0f;
    for (int r = 0; r < side; ++r) {
        for (int s = 0; s < side; ++s) {
            const int row = i * stride + r - padding, col = j * stride + s - padding;
            const half* from = x + (((long long)image * height + row) * width + col) * channels_in;
            const half* weights = w + (((long long)channel * side + r) * side + s) * channels_in;
            for (int c = 0; c < channels_in; ++c) sum += __half2float(from[c]) * __half2float(weights[c]);
        }
    }
    y[at] = sum;
}
