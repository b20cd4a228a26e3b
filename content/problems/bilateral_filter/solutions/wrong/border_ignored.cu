// verdict: memory_error
// All 121 neighbours are read, wherever they are: in the first rows that is in front of the array.

__global__ void bilateral_filter(const float* x, float* y, int height, int width, float near, float alike) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    const long long at = (long long)i * width + j;
    const float here = x[at];
    float total = 0.0f, mixed = 0.0f;
    for (int r = -5; r <= 5; ++r) {
        for (int s = -5; s <= 5; ++s) {
            const float there = x[at + (long long)r * width + s], apart = there - here;
            const float weight = expf(-(near * (r * r + s * s) + alike * apart * apart));
            total += weight;
            mixed += weight * there;
        }
    }
    y[at] = mixed / total;
}
