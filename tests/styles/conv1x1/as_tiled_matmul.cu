//! launch conv1x1<<<dim3(ceil_div(pixels, 16), ceil_div(channels_out, 16), batch), dim3(16, 16)>>>(x, w, bias, y, batch, channels_in, channels_out, pixels)
// A matrix product of weights and image by 16 x 16 tiles.
__global__ void conv1x1(const float* x, const float* w, const float* bias, float* y, int batch, int channels_in, int channels_out, int pixels) {
    __shared__ float u[16][17], v[16][17];
    int p = blockIdx.x * 16 + threadIdx.x, o = blockIdx.y * 16 + threadIdx.y;
    const float* from = x + (size_t)blockIdx.z * channels_in * pixels;
    float sum = 0;
    for (int c0 = 0; c0 < channels_in; c0 += 16) {
        int cw = c0 + threadIdx.x, cx = c0 + threadIdx.y;
        u[threadIdx.y][threadIdx.x] = o < channels_out && cw < channels_in ? w[o * channels_in + cw] : 0.0f;
        v[threadIdx.y][threadIdx.x] = p < pixels && cx < channels_in ? from[(size_t)cx * pixels + p] : 0.0f;
        __syncthreads();
        for (int c = 0; c < 16; ++c) sum += u[threadIdx.y][c] * v[c][threadIdx.x];
        __syncthreads();
    }
    if (o < channels_out && p < pixels) y[((size_t)blockIdx.z * channels_out + o) * pixels + p] = sum + bias[o];
}
