// A thread keeps its column for 16 rows, whose places stand in shared memory.
//
// Idea: the place of a column is the same in all rows and that of a row in all columns, so none is worked out twice in a block.
// Cost: four loads, a store and some ten operations for an output; divisions once in 16 of them.
// Why the rows are unrolled: the loads of eight rows are under way at the same time.

//! launch resize_bilinear<<<dim3(ceil_div(width, 256), ceil_div(height, 16)), 256>>>(x, y, in_height, in_width, height, width)

constexpr int kRows = 16;

struct Place {
    int low, high;
    float share;
};

__device__ Place place(int at, int length, int wanted) {
    const int twice = max((2 * at + 1) * length - wanted, 0), low = twice / (2 * wanted);
    return {low, min(low + 1, length - 1), float(twice - low * 2 * wanted) / float(2 * wanted)};
}

__global__ void __launch_bounds__(256) resize_bilinear(const float* __restrict__ x, float* __restrict__ y,
                                                       int in_height, int in_width, int height, int width) {
    __shared__ Place rows[kRows];
    const int first = blockIdx.y * kRows, j = blockIdx.x * 256 + threadIdx.x;
    if (threadIdx.x < kRows) rows[threadIdx.x] = place(min(first + int(threadIdx.x), height - 1), in_height, height);
    __syncthreads();
    if (j >= width) return;
    const Place col = place(j, in_width, width);
#pragma unroll 8
    for (int r = 0; r < kRows; ++r) {
        const Place row = rows[r];
        const float *above = x + (long long)row.low * in_width, *below = x + (long long)row.high * in_width;
        const float upper = above[col.low] + col.share * (above[col.high] - above[col.low]);
        const float lower = below[col.low] + col.share * (below[col.high] - below[col.low]);
        if (first + r < height) y[(long long)(first + r) * width + j] = upper + row.share * (lower - upper);
    }
}
