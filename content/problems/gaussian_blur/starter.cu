// Gaussian blur: each pixel becomes the weighted mean of the 11 x 11 pixels around it, with weights w[r] * w[s].
//
// Started with 32 x 8 threads, one for each pixel. As it stands only the pixels of the own row count.

__device__ int inside(int at, int length) { return min(max(at, 0), length - 1); }

__global__ void gaussian_blur(const float* x, const float* w, float* y, int height, int width) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    float sum = 0.0f;
    // fill in: the eleven rows from i - 5 to i + 5 as well, each with its own w[r]; a row outside of the image is its border
    for (int s = 0; s < 11; ++s) sum += w[s] * x[(long long)i * width + inside(j + s - 5, width)];
    y[(long long)i * width + j] = sum;
}
