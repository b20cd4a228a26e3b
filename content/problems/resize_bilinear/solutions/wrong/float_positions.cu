// verdict: wrong_answer
// The position is a float. At column 2000 twelve or thirteen bits are left behind the point, too few for the shares.

struct Place {
    int low, high;
    float share;
};

__device__ Place place(int at, int length, int wanted) {
    const float exact = fmaxf((at + 0.5f) * (float(length) / wanted) - 0.5f, 0.0f);
    const int low = min(int(exact), length - 1);
    return {low, min(low + 1, length - 1), exact - low};
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
