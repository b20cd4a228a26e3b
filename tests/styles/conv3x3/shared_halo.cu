// A tile with its frame in shared memory, loaded by all threads in a strided loop.
__global__ void conv3x3(const float* x, const float* w, float* y, int height, int width) {
    __shared__ float tile[10][34], k[9];
    const int t = threadIdx.y * 32 + threadIdx.x, i0 = blockIdx.y * 8 - 1, j0 = blockIdx.x * 32 - 1;
    if (t < 9) k[t] = w[t];
    for (int e = t; e < 340; e += 256) {
        int i = i0 + e / 34, j = j0 + e % 34;
        tile[e / 34][e % 34] = i >= 0 && i < height && j >= 0 && j < width ? x[(size_t)i * width + j] : 0.0f;
    }
    __syncthreads();
    int i = i0 + 1 + threadIdx.y, j = j0 + 1 + threadIdx.x;
    if (i >= height || j >= width) return;
    float sum = 0;
    for (int r = 0; r < 3; ++r)
        for (int s = 0; s < 3; ++s) sum += k[r * 3 + s] * tile[threadIdx.y + r][threadIdx.x + s];
    y[(size_t)i * width + j] = sum;
}
