//! launch conv3x3<<<dim3(ceil_div(width, 30), height), 32>>>(x, w, y, height, width)
// Left and right neighbours by shuffles; the outer lanes of a warp only lend.
__global__ void conv3x3(const float* x, const float* w, float* y, int height, int width) {
    int lane = threadIdx.x, j = (int)blockIdx.x * 30 + lane - 1, i = blockIdx.y;
    float sum = 0;
    for (int r = -1; r <= 1; ++r) {
        float v = i + r >= 0 && i + r < height && j >= 0 && j < width ? x[(size_t)(i + r) * width + j] : 0.0f;
        float left = __shfl_up_sync(~0u, v, 1), right = __shfl_down_sync(~0u, v, 1);
        sum += left * w[r * 3 + 3] + v * w[r * 3 + 4] + right * w[r * 3 + 5];
    }
    if (lane > 0 && lane < 31 && j < width) y[(size_t)i * width + j] = sum;
}
