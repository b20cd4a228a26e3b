__global__ void conv3x3(const float* x, const float* w, float* y, int height, int width) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= height || col >= width)
        return;
    float sum = 0.0f;
    for (int r = -1; r <= 1; ++r)
        for (int s = -1; s <= 1; ++s) {
            int i = row + r, j = col + s;
            if (i >= 0 && i < height && j >= 0 && j < width)
                sum += w[(r + 1) * 3 + s + 1] * x[i * width + j];
        }
    y[row * width + col] = sum;
}
