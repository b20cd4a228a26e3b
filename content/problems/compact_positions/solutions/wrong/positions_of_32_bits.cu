// verdict: wrong_answer
// The position is calculated as an int and only then widened: what lies above 2^31 is gone.

__global__ void compact_positions(const int* x, long long* positions, long long* count, int n, long long base) {
    __shared__ int warp_counts[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int found = 0;
    for (int start = 0; start < n; start += 256) {
        int i = start + threadIdx.x;
        bool wanted = i < n && x[i] > 0;
        unsigned votes = __ballot_sync(0xffffffffu, wanted);
        if (lane == 0) warp_counts[warp] = __popc(votes);
        __syncthreads();
        int before = 0, in_this_tile = 0;
        for (int w = 0; w < 8; ++w) {
            if (w < warp) before += warp_counts[w];
            in_this_tile += warp_counts[w];
        }
        int position = int(base) + i;
        if (wanted) positions[found + before + __popc(votes & ((1u << lane) - 1))] = position;
        found += in_this_tile;
        __syncthreads();
    }
    for (int i = found + threadIdx.x; i < n; i += 256) positions[i] = -1;
    if (threadIdx.x == 0) *count = found;
}
