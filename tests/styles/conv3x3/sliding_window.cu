//! launch conv3x3<<<ceil_div(width, 64), 64>>>(x, w, y, height, width)
// A thread walks down a column and keeps three rows in a rotating window.
struct Row {
    float left, middle, right;
};
__device__ Row row_at(const float* x, int i, int j, int height, int width) {
    Row r = {0, 0, 0};
    if (i < 0 || i >= height) return r;
    const float* from = x + (size_t)i * width;
    if (j > 0) r.left = from[j - 1];
    r.middle = from[j];
    if (j + 1 < width) r.right = from[j + 1];
    return r;
}
__device__ float dot(const Row& r, const float* w) { return r.left * w[0] + r.middle * w[1] + r.right * w[2]; }
__global__ void conv3x3(const float* x, const float* w, float* y, int height, int width) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= width) return;
    Row above = row_at(x, -1, j, height, width), here = row_at(x, 0, j, height, width);
    for (int i = 0; i < height; ++i) {
        Row below = row_at(x, i + 1, j, height, width);
        y[(size_t)i * width + j] = dot(above, w) + dot(here, w + 3) + dot(below, w + 6);
        above = here, here = below;
    }
}
