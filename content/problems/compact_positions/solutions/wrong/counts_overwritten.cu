// verdict: race
// One barrier for each tile: a fast warp writes its next count while a slow one still reads the last.

__global__ void compact_positions(const int* x, long long* positions, long long* count, int n, long long base) {
    __shared__ int warp_counts[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    long long found = 0;
    for (long long start = 0; start < n; start += 256) {
        long long i = start + threadIdx.x;
        bool wanted = i < n && x[i] > 0;
        unsigned votes = __ballot_sync(0xffffffffu, wanted);
        if (lane == 0) warp_counts[warp] = __popc(votes);
        __syncthreads();
        int before = 0, in_this_tile = 0;
        for (int w = 0; w < 8; ++w) {
            if (w < warp) before += warp_counts[w];
            in_this_tile += warp_counts[w];
        }
        if (wanted) positions[found + before + __popc(votes & ((1u << lane) - 1))] = base + i;
        found += in_this_tile;
    }
    for (long long i = found + threadIdx.x; i < n; i += 256) positions[i] = -1;
    if (threadIdx.x == 0) *count = found;
}
