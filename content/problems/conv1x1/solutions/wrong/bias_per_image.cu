// verdict: memory_error
// There is one bias per output channel, not one per image and channel; the second image reads behind the array.

__global__ void conv1x1(const float* x, const float* w, const float* bias, float* y, int batch, int channels_in,
                        int channels_out, int pixels) {
    int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    int out = blockIdx.y;
    int image = blockIdx.z;
    if (pixel < pixels) {
        float sum = bias[image * channels_out + out];
        for (int c = 0; c < channels_in; ++c) {
            sum += w[out * channels_in + c] * x[(image * channels_in + c) * pixels + pixel];
        }
        y[(image * channels_out + out) * pixels + pixel] = sum;
    }
}
