// Expected values of depthwise_conv in double: the definition, one thread for each output.
//! launch expect_conv<<<ceil_div(height*width*channels, 256), 256>>>(x, w, expected_y, magnitude_y, height, width, channels)

__global__ void expect_conv(const float* x, const float* w, double* expected, double* magnitude, int height, int width,
                            int channels) {
    const long long at = blockIdx.x * 256LL + threadIdx.x;
    if (at >= (long long)height * width * channels) return;
    const int c = int(at % channels), j = int(at / channels % width), i = int(at / channels / width);
    double sum = 0.0, total = 0.0;
    for (int r = 0; r < 5; ++r) {
        for (int s = 0; s < 5; ++s) {
            int row = i + r - 2, col = j + s - 2;
            if (row < 0 || row >= height || col < 0 || col >= width) continue;
            double term = double(w[(r * 5 + s) * channels + c]) * x[((long long)row * width + col) * channels + c];
            sum += term;
            total += fabs(term);
        }
    }
    expected[at] = sum;
    magnitude[at] = total;
}
