// One thread, one output, positions in whole numbers.
//
// Idea: (2 * i + 1) * in_height - height is the position times 2 * height, without any rounding.
// Cost: two whole divisions, two float divisions and four loads for each output; nearly all loads are found in L1.
// Why not a float position: beyond some thousand pixels it has too few bits left behind the point.

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
    const Place row = place(i, in_height, height), col = place(j, in_width, width);
    const float *above = x + (long long)row.low * in_width, *below = x + (long long)row.high * in_width;
    const float upper = above[col.low] + col.share * (above[col.high] - above[col.low]);
    const float lower = below[col.low] + col.share * (below[col.high] - below[col.low]);
    y[(long long)i * width + j] = upper + row.share * (lower - upper);
}
