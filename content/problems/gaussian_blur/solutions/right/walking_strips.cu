// A block walks down a strip of 256 columns; each thread has two of them and eleven sums for each.
//
// Idea: a row is blurred once and then added, with its weight, to all eleven outputs that need it; those wait in registers.
// Cost: 22 multiply-adds for a pixel, and seven reads of shared memory for two pixels; 74 rows are read for 64 written.
// Why two rows are fetched ahead: a load from memory takes longer than the work on one row.

//! launch gaussian_blur<<<dim3(ceil_div(width, 256), ceil_div(height, 64)), 128>>>(x, w, y, height, width)

constexpr int kThreads = 128, kStrip = 2 * kThreads, kRows = 64;
constexpr int kEdge = 6;  // places before the first column: five are needed, six keep pairs aligned

__device__ int inside(int at, int length) { return min(max(at, 0), length - 1); }

__global__ void __launch_bounds__(kThreads) gaussian_blur(const float* __restrict__ x, const float* __restrict__ w,
                                                          float* __restrict__ y, int height, int width) {
    __shared__ __align__(8) float line[2][kEdge + kStrip + kEdge];
    const int t = threadIdx.x, col0 = blockIdx.x * kStrip, col = col0 + 2 * t;
    const int first_row = blockIdx.y * kRows, end = min(first_row + kRows, height);
    const bool pairs = width % 2 == 0;
    const int left = inside(col, width), right = inside(col + 1, width);
    // Threads 0 to 11 also bring one of the six columns left or right of the strip.
    const int border_place = t < kEdge ? t : kStrip + t;
    const int border = inside(col0 + border_place - kEdge, width);
    float weight[11];
#pragma unroll
    for (int r = 0; r < 11; ++r) weight[r] = w[r];

    auto fetch = [&](int row) {
        const float* from = x + (long long)inside(row, height) * width;
        const float2 own = pairs && col < width ? *reinterpret_cast<const float2*>(from + col)
                                                : make_float2(from[left], from[right]);
        return make_float3(own.x, own.y, t < 2 * kEdge ? from[border] : 0.0f);
    };

    float sum[11][2] = {};
    float3 next = fetch(first_row - 5), later = fetch(first_row - 4);
#pragma unroll 11
    for (int row = first_row - 5; row < end + 5; ++row) {
        float* now = line[row & 1];
        *reinterpret_cast<float2*>(now + kEdge + 2 * t) = make_float2(next.x, next.y);
        if (t < 2 * kEdge) now[border_place] = next.z;
        next = later;
        later = fetch(row + 2);
        __syncthreads();  // one is enough: the other line is written next, and was read before this barrier

        float in[14];  // columns from col - 6 to col + 7; the first and the last are not needed
#pragma unroll
        for (int q = 0; q < 7; ++q) {
            const float2 two = *reinterpret_cast<const float2*>(now + 2 * t + 2 * q);
            in[2 * q] = two.x;
            in[2 * q + 1] = two.y;
        }
        float blurred[2] = {};
#pragma unroll
        for (int s = 0; s < 11; ++s) {
            blurred[0] += weight[s] * in[s + 1];
            blurred[1] += weight[s] * in[s + 2];
        }
        // sum[k] belongs to output row `row - 5 + k`, for which this row has the weight 10 - k.
#pragma unroll
        for (int k = 0; k < 11; ++k) {
            sum[k][0] += weight[10 - k] * blurred[0];
            sum[k][1] += weight[10 - k] * blurred[1];
        }
        const int done = row - 5;
        if (done >= first_row && col < width) {
            float* to = y + (long long)done * width + col;
            if (pairs) {
                *reinterpret_cast<float2*>(to) = make_float2(sum[0][0], sum[0][1]);
            } else {
                to[0] = sum[0][0];
                if (col + 1 < width) to[1] = sum[0][1];
            }
        }
#pragma unroll
        for (int q = 0; q < 2; ++q) {
#pragma unroll
            for (int k = 0; k < 10; ++k) sum[k][q] = sum[k + 1][q];
            sum[10][q] = 0.0f;
        }
    }
}
