// verdict: uninitialized
// Bits are set in words that still hold whatever was there.

//! launch bfs_level<<<ceil_div(n, 256), 256>>>(row_start, neighbour, frontier, reached, next, n, edges)

__device__ bool bit(const unsigned* words, int v) { return words[v / 32] >> v % 32 & 1; }

__global__ void bfs_level(const int* row_start, const int* neighbour, const unsigned* frontier, const unsigned* reached,
                          unsigned* next, int n, int edges) {
    const int u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n || !bit(frontier, u)) return;
    const int end = row_start[u + 1];
    for (int k = row_start[u]; k < end; ++k) {
        const int v = neighbour[k];
        if (!bit(reached, v)) atomicOr(&next[v / 32], 1u << v % 32);
    }
}
