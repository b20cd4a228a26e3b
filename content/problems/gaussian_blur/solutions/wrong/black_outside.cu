// verdict: wrong_answer
// Pixels outside of the image count as 0, so that the border darkens; here the border itself goes on.

__global__ void gaussian_blur(const float* x, const float* w, float* y, int height, int width) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    float sum = 0.0f;
    for (int r = 0; r < 11; ++r) {
        for (int s = 0; s < 11; ++s) {
            int row = i + r - 5, col = j + s - 5;
            if (row < 0 || row >= height || col < 0 || col >= width) continue;
            sum += w[r] * w[s] * x[(long long)row * width + col];
        }
    }
    y[(long long)i * width + j] = sum;
}
