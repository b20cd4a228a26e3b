// verdict: wrong_answer
// The first pixel is laid on the first and the last on the last; here edges meet edges, and a pixel's place is its middle.

struct Place {
    int low, high;
    float share;
};

__device__ Place place(int at, int length, int wanted) {
    const int steps = max(wanted - 1, 1), low = at * (length - 1) / steps;
    return {low, min(low + 1, length - 1), float(at * (length - 1) - low * steps) / float(steps)};
}

__global__ void resize_bilinear(const float* x, float* y, int in_height, int in_width, int height, int width) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    const Place row = place(i, in_height, height), col = place(j, in_width, width);
    const float *above = x + (long long)row.low * in_width, *below = x + (long long)row.high * in_width;
    const float upper = above[col.low] + col.share * (above[col.high] - above[col.low]);
    const float lower = below[col.low] + col.share * (below[col.high] - below[col.low]);
    y[(long long)i * width + j] = upper + row.share * (lower - upper);
}
