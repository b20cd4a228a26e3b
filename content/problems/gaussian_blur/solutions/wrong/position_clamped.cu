// verdict: wrong_answer
// The position in the array is kept inside, not row and column: at the left border the end of the row above is read.

__global__ void gaussian_blur(const float* x, const float* w, float* y, int height, int width) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    float sum = 0.0f;
    for (int r = 0; r < 11; ++r) {
        for (int s = 0; s < 11; ++s) {
            long long at = (long long)(i + r - 5) * width + j + s - 5;
            at = min(max(at, 0LL), (long long)height * width - 1);
            sum += w[r] * w[s] * x[at];
        }
    }
    y[(long long)i * width + j] = sum;
}
