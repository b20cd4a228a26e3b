// Expected values of gaussian_blur in double: along the rows, then along the columns.
//! scratch rows_done double height*width
//! scratch rows_size double height*width
//! launch blur_rows<<<ceil_div(height*width, 256), 256>>>(x, w, rows_done, rows_size, height, width)
//! launch blur_columns<<<ceil_div(height*width, 256), 256>>>(rows_done, rows_size, w, expected_y, magnitude_y, height, width)

__device__ int inside(int at, int length) { return min(max(at, 0), length - 1); }

__global__ void blur_rows(const float* x, const float* w, double* done, double* size, int height, int width) {
    const long long at = blockIdx.x * 256LL + threadIdx.x;
    if (at >= (long long)height * width) return;
    const long long row = at / width;
    const int j = int(at % width);
    double sum = 0.0, total = 0.0;
    for (int s = 0; s < 11; ++s) {
        double term = double(w[s]) * x[row * width + inside(j + s - 5, width)];
        sum += term;
        total += fabs(term);
    }
    done[at] = sum;
    size[at] = total;
}

__global__ void blur_columns(const double* done, const double* size, const float* w, double* expected, double* magnitude,
                             int height, int width) {
    const long long at = blockIdx.x * 256LL + threadIdx.x;
    if (at >= (long long)height * width) return;
    const int i = int(at / width), j = int(at % width);
    double sum = 0.0, total = 0.0;
    for (int r = 0; r < 11; ++r) {
        const long long from = (long long)inside(i + r - 5, height) * width + j;
        sum += w[r] * done[from];
        total += fabs(double(w[r])) * size[from];
    }
    expected[at] = sum;
    magnitude[at] = total;
}

// The bell curve of spread 2; its eleven weights add up to 1.
__global__ void fill_w(float* data, unsigned long long elements, unsigned long long seed) {
    double sum = 0.0;
    for (int s = -5; s <= 5; ++s) sum += exp(-s * s / 8.0);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements) data[i] = float(exp(-(i - 5) * (i - 5) / 8.0) / sum);
}
