// verdict: uninitialized
// Every thread fetches its own pixel into the middle of the tile; nobody fetches the frame around it.

__global__ void conv3x3(const float* x, const float* w, float* y, int height, int width) {
    __shared__ float tile[10][34];
    int j = blockIdx.x * 32 + threadIdx.x;
    int i = blockIdx.y * 8 + threadIdx.y;
    tile[threadIdx.y + 1][threadIdx.x + 1] = i < height && j < width ? x[i * width + j] : 0.0f;
    __syncthreads();
    if (i >= height || j >= width) return;
    float sum = 0.0f;
    for (int r = 0; r < 3; ++r) {
        for (int s = 0; s < 3; ++s) sum += w[r * 3 + s] * tile[threadIdx.y + r][threadIdx.x + s];
    }
    y[i * width + j] = sum;
}
