// verdict: wrong_answer
// Indexes as if the channels of a pixel lay side by side (NHWC). The images are stored channel by channel.

__global__ void conv1x1(const float* x, const float* w, const float* bias, float* y, int batch, int channels_in,
                        int channels_out, int pixels) {
    int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    int out = blockIdx.y;
    int image = blockIdx.z;
    if (pixel < pixels) {
        float sum = bias[out];
        for (int c = 0; c < channels_in; ++c) {
            sum += w[out * channels_in + c] * x[(image * pixels + pixel) * channels_in + c];
        }
        y[(image * channels_out + out) * pixels + pixel] = sum;
    }
}
