__global__ void conv1x1(const float* x, const float* w, const float* bias, float* y, int batch, int channels_in,
                        int channels_out, int pixels) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    int o = blockIdx.y, b = blockIdx.z;
    if (p >= pixels)
        return;
    float sum = bias[o];
    for (int c = 0; c < channels_in; ++c)
        sum += w[o * channels_in + c] * x[(b * channels_in + c) * pixels + p];
    y[(b * channels_out + o) * pixels + p] = sum;
}
