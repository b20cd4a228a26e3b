// Along the rows, then along the columns.
//
// Idea: the weights are products w[r] * w[s], so the sum over s is the same for all outputs below each other.
// Cost: 22 multiply-adds for a pixel; 16 bytes, since the rows go out to memory and come back.
// Why a scratch buffer: blurring y in place, a column would read pixels that are finished already.

//! scratch rows float height*width
//! launch blur_rows<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), dim3(32, 8)>>>(x, w, rows, height, width)
//! launch blur_columns<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), dim3(32, 8)>>>(rows, w, y, height, width)

__device__ int inside(int at, int length) { return min(max(at, 0), length - 1); }

__global__ void blur_rows(const float* x, const float* w, float* rows, int height, int width) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    float sum = 0.0f;
    for (int s = 0; s < 11; ++s) sum += w[s] * x[(long long)i * width + inside(j + s - 5, width)];
    rows[(long long)i * width + j] = sum;
}

__global__ void blur_columns(const float* rows, const float* w, float* y, int height, int width) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    float sum = 0.0f;
    for (int r = 0; r < 11; ++r) sum += w[r] * rows[(long long)inside(i + r - 5, height) * width + j];
    y[(long long)i * width + j] = sum;
}
