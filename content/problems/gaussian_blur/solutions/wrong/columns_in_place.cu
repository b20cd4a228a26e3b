// verdict: race
// The second pass reads y and writes y: some of the rows that a thread adds up are finished outputs by then.

//! launch blur_rows<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), dim3(32, 8)>>>(x, w, y, height, width)
//! launch blur_columns<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), dim3(32, 8)>>>(y, w, height, width)

__device__ int inside(int at, int length) { return min(max(at, 0), length - 1); }

__global__ void blur_rows(const float* x, const float* w, float* y, int height, int width) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    float sum = 0.0f;
    for (int s = 0; s < 11; ++s) sum += w[s] * x[(long long)i * width + inside(j + s - 5, width)];
    y[(long long)i * width + j] = sum;
}

__global__ void blur_columns(float* y, const float* w, int height, int width) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    float sum = 0.0f;
    for (int r = 0; r < 11; ++r) sum += w[r] * y[(long long)inside(i + r - 5, height) * width + j];
    y[(long long)i * width + j] = sum;
}
