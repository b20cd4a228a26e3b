// verdict: race
// The tile is complete, with its frame, but nobody waits until it is.

__global__ void conv3x3(const float* x, const float* w, float* y, int height, int width) {
    __shared__ float tile[10][34];
    int thread = threadIdx.y * 32 + threadIdx.x;
    for (int e = thread; e < 10 * 34; e += 256) {
        int row = blockIdx.y * 8 - 1 + e / 34, col = blockIdx.x * 32 - 1 + e % 34;
        bool inside = row >= 0 && row < height && col >= 0 && col < width;
        tile[e / 34][e % 34] = inside ? x[row * width + col] : 0.0f;
    }
    int j = blockIdx.x * 32 + threadIdx.x;
    int i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    float sum = 0.0f;
    for (int r = 0; r < 3; ++r) {
        for (int s = 0; s < 3; ++s) sum += w[r * 3 + s] * tile[threadIdx.y + r][threadIdx.x + s];
    }
    y[i * width + j] = sum;
}
