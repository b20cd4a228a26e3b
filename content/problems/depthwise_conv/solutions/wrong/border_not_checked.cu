// verdict: memory_error
// At the border of the image the window reaches outside of the array.

__global__ void depthwise_conv(const float* x, const float* w, float* y, int height, int width, int channels) {
    const int c = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, i = blockIdx.z;
    if (c >= channels || j >= width) return;
    float sum = 0.0f;
    for (int r = 0; r < 5; ++r) {
        for (int s = 0; s < 5; ++s) {
            sum += w[(r * 5 + s) * channels + c] * x[((long long)(i + r - 2) * width + j + s - 2) * channels + c];
        }
    }
    y[((long long)i * width + j) * channels + c] = sum;
}
