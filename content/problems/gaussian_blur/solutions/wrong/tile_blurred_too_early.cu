// verdict: race
// Without a barrier between the two directions columns are added up from rows that other warps have not blurred yet.

//! launch gaussian_blur<<<dim3(ceil_div(width, 32), ceil_div(height, 32)), dim3(32, 8)>>>(x, w, y, height, width)

__device__ int inside(int at, int length) { return min(max(at, 0), length - 1); }

__global__ void gaussian_blur(const float* x, const float* w, float* y, int height, int width) {
    __shared__ float pixels[42][42], rows[42][32];
    const int tx = threadIdx.x, ty = threadIdx.y, row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
    for (int e = ty * 32 + tx; e < 42 * 42; e += 256) {
        int row = inside(row0 + e / 42 - 5, height), col = inside(col0 + e % 42 - 5, width);
        pixels[e / 42][e % 42] = x[(long long)row * width + col];
    }
    __syncthreads();
    for (int i = ty; i < 42; i += 8) {
        float sum = 0.0f;
        for (int s = 0; s < 11; ++s) sum += w[s] * pixels[i][tx + s];
        rows[i][tx] = sum;
    }
    for (int i = ty; i < 32; i += 8) {
        if (row0 + i >= height || col0 + tx >= width) continue;
        float sum = 0.0f;
        for (int r = 0; r < 11; ++r) sum += w[r] * rows[i + r][tx];
        y[(long long)(row0 + i) * width + col0 + tx] = sum;
    }
}
