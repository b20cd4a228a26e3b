// verdict: memory_error
// v <= n: behind the last list there is one more beginning, but no vertex to go with it.

__device__ bool bit(const unsigned* words, int v) { return words[v / 32] >> v % 32 & 1; }

__global__ void __launch_bounds__(256) bfs_level(const int* __restrict__ row_start, const int* __restrict__ neighbour,
                                                 const unsigned* __restrict__ frontier,
                                                 const unsigned* __restrict__ reached, unsigned* __restrict__ next, int n,
                                                 int edges) {
    const int v = blockIdx.x * 256 + threadIdx.x;
    bool found = false;
    if (v <= n && !bit(reached, v)) {
        const int end = row_start[v + 1];
        for (int k = row_start[v]; k < end && !found; ++k) found = bit(frontier, neighbour[k]);
    }
    const unsigned word = __ballot_sync(0xffffffffu, found);
    if (v <= n && v % 32 == 0) next[v / 32] = word;
}
