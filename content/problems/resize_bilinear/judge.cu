// Expected values of resize_bilinear in double: positions in whole numbers, one thread for each output.
//! launch expect_resized<<<ceil_div(height*width, 256), 256>>>(x, expected_y, magnitude_y, in_height, in_width, height, width)

struct Place {
    long long low, high;
    double share;
};

__device__ Place place(long long at, long long length, long long wanted) {
    const long long twice = max((2 * at + 1) * length - wanted, 0LL), low = twice / (2 * wanted);
    return {low, min(low + 1, length - 1), double(twice - low * 2 * wanted) / double(2 * wanted)};
}

__global__ void expect_resized(const float* x, double* expected, double* magnitude, int in_height, int in_width,
                               int height, int width) {
    const long long at = blockIdx.x * 256LL + threadIdx.x;
    if (at >= (long long)height * width) return;
    const Place row = place(at / width, in_height, height), col = place(at % width, in_width, width);
    const float *above = x + row.low * in_width, *below = x + row.high * in_width;
    const double a = above[col.low], b = above[col.high], c = below[col.low], d = below[col.high];
    const double upper = a + col.share * (b - a), lower = c + col.share * (d - c);
    expected[at] = upper + row.share * (lower - upper);
    magnitude[at] = fmax(fmax(fabs(a), fabs(b)), fmax(fabs(c), fabs(d)));
}
