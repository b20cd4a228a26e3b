// Two rows per warp, 16-byte loads.
//
// Idea: a warp walks along two rows at once; each float4 of x serves two float4 of weights, and the four loads of two
// steps are in flight together.
// Cost: 4 bytes per weight from device memory, like one row per warp; an eighth of its load instructions.
// Why it gains so little on an H200 (both run at the copy bandwidth): with 32768 rows there are warps enough to
// hide every latency, and device memory is the limit for both. It pays where rows are few or a card issues loads more
// slowly; four rows per warp are already slower here, because too few warps are left.

//! launch dense_sigmoid<<<ceil_div(m, 16), 256>>>(w, x, b, y, m, n)

constexpr int kRows = 2;

__device__ float dot4(float4 p, float4 q) { return p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w; }

__global__ void __launch_bounds__(256) dense_sigmoid(const float* __restrict__ w, const float* __restrict__ x,
                                                     const float* __restrict__ b, float* __restrict__ y, int m, int n) {
    const int row0 = (blockIdx.x * 8 + threadIdx.x / 32) * kRows;
    const int lane = threadIdx.x % 32;
    if (row0 >= m) return;

    // Rows past the end repeat the last one, so that all loads are inside; their sums are not stored.
    const float* from[kRows];
    float sum[kRows] = {};
#pragma unroll
    for (int r = 0; r < kRows; ++r) from[r] = w + (long long)min(row0 + r, m - 1) * n;

    if (n % 4 == 0) {  // otherwise only every fourth row starts at a multiple of 16 bytes
        const float4* x4 = reinterpret_cast<const float4*>(x);
#pragma unroll 2
        for (int j = lane; j < n / 4; j += 32) {
            float4 v = x4[j];
#pragma unroll
            for (int r = 0; r < kRows; ++r) sum[r] += dot4(reinterpret_cast<const float4*>(from[r])[j], v);
        }
    } else {
        for (int j = lane; j < n; j += 32) {
            float v = x[j];
#pragma unroll
            for (int r = 0; r < kRows; ++r) sum[r] += from[r][j] * v;
        }
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) sum[r] += __shfl_down_sync(0xffffffffu, sum[r], offset);
        if (lane == 0 && row0 + r < m) {
            y[row0 + r] = 1.0f / (1.0f + expf(-(sum[r] + b[row0 + r])));
        }
    }
}
