// verdict: race
// The first row of threads brings the weights to shared memory, and the others read them without waiting.

__global__ void depthwise_conv(const float* x, const float* w, float* y, int height, int width, int channels) {
    __shared__ float weight[25][32];
    const int c = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, i = blockIdx.z;
    if (threadIdx.y == 0) {
        for (int p = 0; p < 25; ++p) weight[p][threadIdx.x] = c < channels ? w[p * channels + c] : 0.0f;
    }
    if (c >= channels || j >= width) return;
    float sum = 0.0f;
    for (int r = 0; r < 5; ++r) {
        for (int s = 0; s < 5; ++s) {
            int row = i + r - 2, col = j + s - 2;
            if (row >= 0 && row < height && col >= 0 && col < width) {
                sum += weight[r * 5 + s][threadIdx.x] * x[((long long)row * width + col) * channels + c];
            }
        }
    }
    y[((long long)i * width + j) * channels + c] = sum;
}
