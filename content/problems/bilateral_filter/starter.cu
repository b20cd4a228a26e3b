// Bilateral filter: y[i, j] is the mean of the 11 x 11 pixels around it, weighted by how near and how alike they are.
//
// Started with 32 x 8 threads, one for each output. The walk over the neighbours inside the image is there; as it stands all of
// them weigh the same.

__global__ void bilateral_filter(const float* x, float* y, int height, int width, float near, float alike) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    const long long at = (long long)i * width + j;
    float total = 0.0f, mixed = 0.0f;
    for (int r = max(-5, -i); r <= min(5, height - 1 - i); ++r) {
        for (int s = max(-5, -j); s <= min(5, width - 1 - j); ++s) {
            const float there = x[at + (long long)r * width + s];
            // fill in: exp(-(near * (r * r + s * s) + alike * the square of the difference to x[at]))
            const float weight = 1.0f;
            total += weight;
            mixed += weight * there;
        }
    }
    y[at] = mixed / total;
}
