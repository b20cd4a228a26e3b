//! launch conv1x1<<<dim3(4, batch), 64>>>(x, w, bias, y, batch, channels_in, channels_out, pixels)
// Grid-stride over pixels, all output channels by the same thread.
__global__ void conv1x1(const float* x, const float* w, const float* bias, float* y, int batch, int channels_in, int channels_out, int pixels) {
    const float* from = x + (size_t)blockIdx.y * channels_in * pixels;
    float* to = y + (size_t)blockIdx.y * channels_out * pixels;
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += gridDim.x * blockDim.x)
        for (int o = 0; o < channels_out; ++o) {
            float sum = bias[o];
            for (int c = 0; c < channels_in; ++c) sum = fmaf(w[o * channels_in + c], from[(size_t)c * pixels + p], sum);
            to[(size_t)o * pixels + p] = sum;
        }
}
