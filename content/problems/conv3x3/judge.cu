// Expected values of conv3x3 in double: the definition, pixel by pixel.
//! launch expect_conv<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), dim3(32, 8)>>>(x, w, expected_y, magnitude_y, height, width)

__global__ void expect_conv(const float* x, const float* w, double* expected, double* magnitude, int height, int width) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    double sum = 0.0, total = 0.0;
    for (int r = 0; r < 3; ++r) {
        for (int s = 0; s < 3; ++s) {
            int row = i + r - 1, col = j + s - 1;
            if (row < 0 || row >= height || col < 0 || col >= width) continue;
            double term = double(w[r * 3 + s]) * x[(long long)row * width + col];
            sum += term;
            total += fabs(term);
        }
    }
    expected[(long long)i * width + j] = sum;
    magnitude[(long long)i * width + j] = total;
}
