// verdict: wrong_answer
// Flips the weights, as signal processing defines convolution. Symmetric filters hide it.

__global__ void conv3x3(const float* x, const float* w, float* y, int height, int width) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= height || j >= width) return;
    float sum = 0.0f;
    for (int r = 0; r < 3; ++r) {
        for (int s = 0; s < 3; ++s) {
            int row = i + r - 1, col = j + s - 1;
            if (row >= 0 && row < height && col >= 0 && col < width) {
                sum += w[8 - (r * 3 + s)] * x[row * width + col];
            }
        }
    }
    y[i * width + j] = sum;
}
