// Strips of 1024 rows, each read once; parts are joined by the rule of Chan.
//
// Idea: Welford's update needs one pass, and two parts of a column join exactly, whatever their means are.
// Cost: 4 bytes per element, and 8 for each strip and column, written and read once more.
// Why a second launch: blocks cannot wait for one another.

//! scratch part_mean float cols*ceil_div(rows, 1024)
//! scratch part_squares float cols*ceil_div(rows, 1024)
//! launch of_strips<<<dim3(ceil_div(cols, 32), ceil_div(rows, 1024)), dim3(32, 8)>>>(x, part_mean, part_squares, rows, cols)
//! launch join_strips<<<ceil_div(cols, 32), dim3(32, 8)>>>(part_mean, part_squares, mean, variance, rows, cols)

constexpr int kStrip = 1024, kUnroll = 4;

struct Part {
    float count, mean, squares;
};

__device__ void join(Part& part, const Part& other) {
    if (other.count == 0.0f) return;  // nothing to join, and 0 / 0 must not be formed
    float together = part.count + other.count, apart = other.mean - part.mean;
    part.mean += apart * (other.count / together);
    part.squares += other.squares + apart * apart * (part.count * other.count / together);
    part.count = together;
}

// What the eight rows of threads of a block have, joined in the first of them.
__device__ Part join_block(Part part) {
    __shared__ float counts[8][32], means[8][32], squares[8][32];
    const int lane = threadIdx.x, row = threadIdx.y;
    counts[row][lane] = part.count;
    means[row][lane] = part.mean;
    squares[row][lane] = part.squares;
    __syncthreads();
    if (row == 0) {
        for (int r = 1; r < 8; ++r) join(part, {counts[r][lane], means[r][lane], squares[r][lane]});
    }
    return part;
}

__global__ void __launch_bounds__(256) of_strips(const float* __restrict__ x, float* part_mean, float* part_squares,
                                                 int rows, int cols) {
    const int col = blockIdx.x * 32 + threadIdx.x, end = min(rows, (int(blockIdx.y) + 1) * kStrip);
    Part part = {0.0f, 0.0f, 0.0f};
    if (col < cols) {
        for (int i = blockIdx.y * kStrip + threadIdx.y; i < end; i += 8 * kUnroll) {
            float value[kUnroll];
#pragma unroll
            for (int k = 0; k < kUnroll; ++k) value[k] = i + 8 * k < end ? x[(long long)(i + 8 * k) * cols + col] : 0.0f;
#pragma unroll
            for (int k = 0; k < kUnroll; ++k) {
                if (i + 8 * k >= end) continue;
                part.count += 1.0f;
                float distance = value[k] - part.mean;
                part.mean += distance / part.count;
                part.squares += distance * (value[k] - part.mean);
            }
        }
    }
    part = join_block(part);
    if (threadIdx.y == 0 && col < cols) {
        part_mean[(long long)blockIdx.y * cols + col] = part.mean;
        part_squares[(long long)blockIdx.y * cols + col] = part.squares;
    }
}

__global__ void __launch_bounds__(256) join_strips(const float* part_mean, const float* part_squares, float* mean,
                                                   float* variance, int rows, int cols) {
    const int col = blockIdx.x * 32 + threadIdx.x;
    Part part = {0.0f, 0.0f, 0.0f};
    for (int s = threadIdx.y; col < cols && s * kStrip < rows; s += 8) {
        float count = float(min(kStrip, rows - s * kStrip));
        join(part, {count, part_mean[(long long)s * cols + col], part_squares[(long long)s * cols + col]});
    }
    part = join_block(part);
    if (threadIdx.y == 0 && col < cols) {
        mean[col] = part.mean;
        variance[col] = part.squares / rows;
    }
}
