// verdict: wrong_answer
// Reads the weights as if they were stored per input channel. All accesses are inside: the matrix has as many elements
// either way.

__global__ void conv1x1(const float* x, const float* w, const float* bias, float* y, int batch, int channels_in,
                        int channels_out, int pixels) {
    int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    int out = blockIdx.y;
    int image = blockIdx.z;
    if (pixel < pixels) {
        float sum = bias[out];
        for (int c = 0; c < channels_in; ++c) {
            sum += w[c * channels_out + out] * x[(image * channels_in + c) * pixels + pixel];
        }
        y[(image * channels_out + out) * pixels + pixel] = sum;
    }
}
