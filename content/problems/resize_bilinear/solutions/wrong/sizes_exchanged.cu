// verdict: wrong_answer
// Rows are scaled by the widths and columns by the heights; kept inside, it shows only where the two ratios differ.

struct Place {
    int low, high;
    float share;
};

__device__ Place place(int at, int length, int wanted) {
    const int twice = max((2 * at + 1) * length - wanted, 0), low = twice / (2 * wanted);
    return {low, min(low + 1, length - 1), float(twice - low * 2 * wanted) / float(2 * wanted)};
}

__global__ void resize_bilinear(const float* x, float* y, int in_height, int in_width, int height, int width) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    Place row = place(i, in_width, width), col = place(j, in_height, height);
    row.low = min(row.low, in_height - 1);
    row.high = min(row.high, in_height - 1);
    col.low = min(col.low, in_width - 1);
    col.high = min(col.high, in_width - 1);
    const float *above = x + (long long)row.low * in_width, *below = x + (long long)row.high * in_width;
    const float upper = above[col.low] + col.share * (above[col.high] - above[col.low]);
    const float lower = below[col.low] + col.share * (below[col.high] - below[col.low]);
    y[(long long)i * width + j] = upper + row.share * (lower - upper);
}
