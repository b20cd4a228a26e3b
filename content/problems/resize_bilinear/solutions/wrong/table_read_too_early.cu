// verdict: race
// The places of the rows are read from shared memory without a barrier; the first warp may not have written them yet.

//! launch resize_bilinear<<<dim3(ceil_div(width, 256), ceil_div(height, 16)), 256>>>(x, y, in_height, in_width, height, width)

struct Place {
    int low, high;
    float share;
};

__device__ Place place(int at, int length, int wanted) {
    const int twice = max((2 * at + 1) * length - wanted, 0), low = twice / (2 * wanted);
    return {low, min(low + 1, length - 1), float(twice - low * 2 * wanted) / float(2 * wanted)};
}

__global__ void resize_bilinear(const float* x, float* y, int in_height, int in_width, int height, int width) {
    __shared__ Place rows[16];
    const int first = blockIdx.y * 16, j = blockIdx.x * 256 + threadIdx.x;
    if (threadIdx.x < 16) rows[threadIdx.x] = place(min(first + int(threadIdx.x), height - 1), in_height, height);
    if (j >= width) return;
    const Place col = place(j, in_width, width);
    for (int i = first; i < min(first + 16, height); ++i) {
        const Place row = rows[i - first];
        const float *above = x + (long long)row.low * in_width, *below = x + (long long)row.high * in_width;
        const float upper = above[col.low] + col.share * (above[col.high] - above[col.low]);
        const float lower = below[col.low] + col.share * (below[col.high] - below[col.low]);
        y[(long long)i * width + j] = upper + row.share * (lower - upper);
    }
}
