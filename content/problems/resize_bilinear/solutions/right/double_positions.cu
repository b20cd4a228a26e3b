// One thread, one output, positions in double.
//
// Idea: the formula of the statement; 53 bits leave 39 behind the point even at 16384.
// Cost: some ten operations in double for each output, which cards for graphics do 32 to 64 times slower than in float.
// Why a position that falls just below a whole number does no harm: the mix is then all but the upper neighbour.

struct Place {
    int low, high;
    float share;
};

__device__ Place place(int at, int length, int wanted) {
    const double exact = fmax((at + 0.5) * length / wanted - 0.5, 0.0);
    const int low = int(exact);
    return {low, min(low + 1, length - 1), float(exact - low)};
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
