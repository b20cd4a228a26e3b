// 32 values at a time: which lanes agree with this lane's bins, by ballots over the eight bits.
//! launch histogram<<<1, 32>>>(x, counts, n)
__global__ void histogram(const int* x, int* counts, int n) {
    int mine[8] = {};
    const unsigned lane = threadIdx.x;
    for (int start = 0; start < n; start += 32) {
        int i = start + lane, v = i < n ? x[i] : 0;
        unsigned there = __ballot_sync(~0u, i < n), b[8];
        for (int k = 0; k < 8; ++k) b[k] = __ballot_sync(~0u, (v >> k) & 1);
        for (int high = 0; high < 8; ++high) {
            unsigned bin = high * 32 + lane, agree = there;
            for (int k = 0; k < 8; ++k) agree &= (bin >> k) & 1 ? b[k] : ~b[k];
            mine[high] += __popc(agree);
        }
    }
    for (int high = 0; high < 8; ++high) counts[high * 32 + lane] = mine[high];
}
