// verdict: wrong_answer
// The sum of weights holds those of the distance alone, as in a plain blur; but the others made them smaller.

__global__ void bilateral_filter(const float* x, float* y, int height, int width, float near, float alike) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    const long long at = (long long)i * width + j;
    const float here = x[at];
    float total = 0.0f, mixed = 0.0f;
    for (int r = max(-5, -i); r <= min(5, height - 1 - i); ++r) {
        for (int s = max(-5, -j); s <= min(5, width - 1 - j); ++s) {
            const float there = x[at + (long long)r * width + s], apart = there - here;
            const float weight = expf(-(near * (r * r + s * s) + alike * apart * apart));
            total += expf(-near * (r * r + s * s));
            mixed += weight * there;
        }
    }
    y[at] = mixed / total;
}
