// verdict: memory_error
// Columns are kept inside of the image and rows are not: above the first row there is no memory.

__device__ int inside(int at, int length) { return min(max(at, 0), length - 1); }

__global__ void gaussian_blur(const float* x, const float* w, float* y, int height, int width) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    float sum = 0.0f;
    for (int r = 0; r < 11; ++r) {
        const float* row = x + (long long)(i + r - 5) * width;
        for (int s = 0; s < 11; ++s) sum += w[r] * w[s] * row[inside(j + s - 5, width)];
    }
    y[(long long)i * width + j] = sum;
}
