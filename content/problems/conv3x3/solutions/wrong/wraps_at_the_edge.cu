// verdict: wrong_answer
// Tests the position instead of the column: left of a row's first pixel it takes the last one of the row above.

__global__ void conv3x3(const float* x, const float* w, float* y, int height, int width) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= height || j >= width) return;
    float sum = 0.0f;
    for (int r = 0; r < 3; ++r) {
        for (int s = 0; s < 3; ++s) {
            int position = (i + r - 1) * width + j + s - 1;
            if (position >= 0 && position < height * width) {
                sum += w[r * 3 + s] * x[position];
            }
        }
    }
    y[i * width + j] = sum;
}
