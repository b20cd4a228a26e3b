// verdict: memory_error
// No test at the edges: the first row reads in front of the image, the last one behind it.

__global__ void conv3x3(const float* x, const float* w, float* y, int height, int width) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= height || j >= width) return;
    float sum = 0.0f;
    for (int r = 0; r < 3; ++r) {
        for (int s = 0; s < 3; ++s) {
            sum += w[r * 3 + s] * x[(i + r - 1) * width + j + s - 1];
        }
    }
    y[i * width + j] = sum;
}
