// verdict: wrong_answer
// Only the index as a whole is checked: left of a row stands the end of the row above, and it is added.

__global__ void depthwise_conv(const float* x, const float* w, float* y, int height, int width, int channels) {
    const int c = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, i = blockIdx.z;
    if (c >= channels || j >= width) return;
    float sum = 0.0f;
    for (int r = 0; r < 5; ++r) {
        for (int s = 0; s < 5; ++s) {
            long long pixel = (long long)(i + r - 2) * width + j + s - 2;
            if (pixel >= 0 && pixel < (long long)height * width) {
                sum += w[(r * 5 + s) * channels + c] * x[pixel * channels + c];
            }
        }
    }
    y[((long long)i * width + j) * channels + c] = sum;
}
