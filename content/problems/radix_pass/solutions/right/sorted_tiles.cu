// As three launches, but each block sorts its tile in shared memory before it writes.
//
// Idea: a thread's 16 keys stay in registers; each warp ranks 512 neighbouring keys without waiting for the others, once
// the counts of all warps are known.
// Cost: 12 bytes per key; stores in runs of about 256 keys.
// Why the block knows where a key belongs: its distance from the run's beginning is the same in both memories.

//! scratch counts int 16*ceil_div(n, 4096)
//! scratch totals int 16
//! launch count_tiles<<<ceil_div(n, 4096), 256>>>(keys, counts, n, shift)
//! launch scan_digit<<<16, 1024>>>(counts, totals, ceil_div(n, 4096))
//! launch place_tiles<<<ceil_div(n, 4096), 256>>>(keys, counts, totals, sorted, n, shift)

constexpr int kTile = 4096, kPerThread = 16;
constexpr unsigned kAll = 0xffffffffu;

__global__ void __launch_bounds__(256) count_tiles(const unsigned* keys, int* counts, int n, int shift) {
    __shared__ int mine[8][16];
    const int warp = threadIdx.x / 32;
    if (threadIdx.x < 128) mine[threadIdx.x / 16][threadIdx.x % 16] = 0;
    __syncthreads();
    for (int k = 0; k < kTile; k += 256) {
        long long i = blockIdx.x * (long long)kTile + k + threadIdx.x;
        if (i < n) atomicAdd(&mine[warp][keys[i] >> shift & 15], 1);
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        int sum = 0;
        for (int w = 0; w < 8; ++w) sum += mine[w][threadIdx.x];
        counts[threadIdx.x * gridDim.x + blockIdx.x] = sum;
    }
}

__global__ void __launch_bounds__(1024) scan_digit(int* counts, int* totals, int tiles) {
    __shared__ int warp_sums[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int* row = counts + blockIdx.x * tiles;
    int carry = 0;
    for (int start = 0; start < tiles; start += 1024) {
        int i = start + threadIdx.x, own = i < tiles ? row[i] : 0, sum = own;
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
        if (i < tiles) row[i] = carry + before + sum - own;
        carry += total;
        __syncthreads();
    }
    if (threadIdx.x == 0) totals[blockIdx.x] = carry;
}

__global__ void __launch_bounds__(256) place_tiles(const unsigned* keys, const int* counts, const int* totals,
                                                   unsigned* sorted, int n, int shift) {
    __shared__ unsigned tile[kTile];
    __shared__ int table[8][17], run_starts[17], to_global[16];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long start = blockIdx.x * (long long)kTile;
    if (threadIdx.x < 8 * 17) table[threadIdx.x / 17][threadIdx.x % 17] = 0;
    __syncthreads();

    unsigned key[kPerThread];
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {  // a warp owns 512 neighbours, 32 at a time
        long long i = start + warp * (32 * kPerThread) + k * 32 + lane;
        key[k] = i < n ? keys[i] : 0;
        atomicAdd(&table[warp][i < n ? key[k] >> shift & 15 : 16], 1);
    }
    __syncthreads();
    if (threadIdx.x < 17) {  // of each digit: what the warps before have
        int before = 0;
        for (int w = 0; w < 8; ++w) {
            int own = table[w][threadIdx.x];
            table[w][threadIdx.x] = before;
            before += own;
        }
        run_starts[threadIdx.x] = before;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int before = 0;
        for (int d = 0; d < 17; ++d) {
            int own = run_starts[d];
            run_starts[d] = before;
            before += own;
        }
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        int place = counts[threadIdx.x * gridDim.x + blockIdx.x];
        for (int d = 0; d < threadIdx.x; ++d) place += totals[d];
        to_global[threadIdx.x] = place - run_starts[threadIdx.x];
    }
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {
        long long i = start + warp * (32 * kPerThread) + k * 32 + lane;
        int digit = i < n ? key[k] >> shift & 15 : 16;
        unsigned peers = __match_any_sync(kAll, digit);
        int rank = __popc(peers & ((1u << lane) - 1));
        int place = run_starts[digit] + table[warp][digit] + rank;
        __syncwarp();
        if (rank == 0) table[warp][digit] += __popc(peers);  // the warp's own row: nobody else looks at it
        __syncwarp();
        tile[place] = key[k];
    }
    __syncthreads();
    const int here = int(min((long long)kTile, n - start));
    for (int p = threadIdx.x; p < here; p += 256) sorted[to_global[tile[p] >> shift & 15] + p] = tile[p];
}
