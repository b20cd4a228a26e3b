// One thread, one output value.
//
// Idea: the definition; x runs along the pixels, so every access of a warp is coalesced.
// Cost: each input is fetched channels_out times. The blocks of different output channels run far apart, so most of
// these fetches reach device memory again.
// Why it is here: it is what the formula says, and shows that coalescing is not all there is.

__global__ void conv1x1(const float* x, const float* w, const float* bias, float* y, int batch, int channels_in,
                        int channels_out, int pixels) {
    int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    int out = blockIdx.y;
    int image = blockIdx.z;
    if (pixel < pixels) {
        float sum = bias[out];
        for (int c = 0; c < channels_in; ++c) {
            sum += w[out * channels_in + c] * x[((long long)image * channels_in + c) * pixels + pixel];
        }
        y[((long long)image * channels_out + out) * pixels + pixel] = sum;
    }
}
