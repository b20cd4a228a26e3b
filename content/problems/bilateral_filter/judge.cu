// Expected values of bilateral_filter in double: one thread for each pixel, 121 neighbours.
//! launch expect_filtered<<<ceil_div(height*width, 256), 256>>>(x, expected_y, magnitude_y, height, width, near, alike)

__global__ void expect_filtered(const float* x, double* expected, double* magnitude, int height, int width, float near,
                                float alike) {
    const long long at = blockIdx.x * 256LL + threadIdx.x;
    if (at >= (long long)height * width) return;
    const int i = int(at / width), j = int(at % width);
    double total = 0.0, mixed = 0.0, size = 0.0, doubt = 0.0, doubtful = 0.0;
    for (int r = max(-5, -i); r <= min(5, height - 1 - i); ++r) {
        for (int s = max(-5, -j); s <= min(5, width - 1 - j); ++s) {
            const double there = x[at + (long long)r * width + s], apart = there - x[at];
            const double exponent = double(near) * (r * r + s * s) + double(alike) * apart * apart, weight = exp(-exponent);
            total += weight;
            mixed += weight * there;
            size += weight * fabs(there);
            doubt += weight * (1.0 + exponent);
            doubtful += weight * (1.0 + exponent) * fabs(there);
        }
    }
    expected[at] = mixed / total;
    magnitude[at] = doubtful / total + doubt / total * (size / total);
}
