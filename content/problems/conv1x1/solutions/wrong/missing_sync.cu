// verdict: race
// Weights are used before the thread that fetches them has stored them.

__global__ void conv1x1(const float* x, const float* w, const float* bias, float* y, int batch, int channels_in,
                        int channels_out, int pixels) {
    __shared__ float weights[64];
    int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    int out = blockIdx.y;
    int image = blockIdx.z;
    if (threadIdx.x < channels_in) weights[threadIdx.x] = w[out * channels_in + threadIdx.x];
    if (pixel < pixels) {
        float sum = bias[out];
        for (int c = 0; c < channels_in; ++c) {
            sum += weights[c] * x[(image * channels_in + c) * pixels + pixel];
        }
        y[(image * channels_out + out) * pixels + pixel] = sum;
    }
}
