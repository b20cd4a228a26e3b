// Count, scan the counts, write.
//
// Idea: a block counts its 4096 elements, one block scans the counts, then every block knows where its first position
// belongs.
// Cost: 16 bytes per element, for x is read twice; the counts are nothing beside it.
// Why the -1 come last: who covers indices beyond the total fills them, and the total is known by the third launch.

//! scratch counts int ceil_div(n, 4096)
//! launch count_tiles<<<ceil_div(n, 4096), 256>>>(x, counts, n)
//! launch scan_counts<<<1, 1024>>>(counts, count, ceil_div(n, 4096))
//! launch write_tiles<<<ceil_div(n, 4096), 256>>>(x, counts, count, positions, n, base)

constexpr int kTile = 4096;
constexpr unsigned kAll = 0xffffffffu;

__global__ void __launch_bounds__(256) count_tiles(const int* x, int* counts, int n) {
    __shared__ int warp_counts[8];
    const long long start = blockIdx.x * (long long)kTile;
    int found = 0;
#pragma unroll 4
    for (int k = 0; k < kTile; k += 256) {
        long long i = start + k + threadIdx.x;
        found += i < n && x[i] > 0;
    }
    found = __reduce_add_sync(kAll, found);
    if (threadIdx.x % 32 == 0) warp_counts[threadIdx.x / 32] = found;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int w = 0; w < 8; ++w) sum += warp_counts[w];
        counts[blockIdx.x] = sum;
    }
}

__global__ void __launch_bounds__(1024) scan_counts(int* counts, long long* count, int tiles) {
    __shared__ int warp_sums[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int carry = 0;
    for (int start = 0; start < tiles; start += 1024) {
        int i = start + threadIdx.x, own = i < tiles ? counts[i] : 0, sum = own;
        for (int d = 1; d < 32; d *= 2) {
            int left = __shfl_up_sync(kAll, sum, d);
            if (lane >= d) sum += left;
        }
        if (lane == 31) warp_sums[warp] = sum;
        __syncthreads();
        int before = 0, total = 0;
        for (int w = 0; w < 32; ++w) {
            if (w < warp) before += warp_sums[w];
            total += warp_sums[w];
        }
        if (i < tiles) counts[i] = carry + before + sum - own;
        carry += total;
        __syncthreads();
    }
    if (threadIdx.x == 0) *count = carry;
}

__global__ void __launch_bounds__(256) write_tiles(const int* x, const int* counts, const long long* count,
                                                   long long* positions, int n, long long base) {
    __shared__ int warp_counts[2][8];  // two, used in turn: one barrier for 256 elements is enough
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long start = blockIdx.x * (long long)kTile, total = *count;
    int found = counts[blockIdx.x];
    for (int k = 0; k < kTile; k += 256) {
        long long i = start + k + threadIdx.x;
        int* mine = warp_counts[k / 256 % 2];
        bool wanted = i < n && x[i] > 0;
        unsigned votes = __ballot_sync(kAll, wanted);
        if (lane == 0) mine[warp] = __popc(votes);
        __syncthreads();
        int before = 0, in_this_step = 0;
#pragma unroll
        for (int w = 0; w < 8; ++w) {
            if (w < warp) before += mine[w];
            in_this_step += mine[w];
        }
        if (wanted) positions[found + before + __popc(votes & ((1u << lane) - 1))] = base + i;
        if (i < n && i >= total) positions[i] = -1;
        found += in_this_step;
    }
}
