// verdict: race
// 32 vertices share a word. Reading it, setting a bit and writing it back are three steps, and bits of others get lost.

//! launch clear<<<ceil_div(n, 8192), 256>>>(next, ceil_div(n, 32))
//! launch bfs_level<<<ceil_div(n, 256), 256>>>(row_start, neighbour, frontier, reached, next, n, edges)

__device__ bool bit(const unsigned* words, int v) { return words[v / 32] >> v % 32 & 1; }

__global__ void clear(unsigned* next, int words) {
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w < words) next[w] = 0;
}

__global__ void bfs_level(const int* row_start, const int* neighbour, const unsigned* frontier, const unsigned* reached,
                          unsigned* next, int n, int edges) {
    const int u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n || !bit(frontier, u)) return;
    const int end = row_start[u + 1];
    for (int k = row_start[u]; k < end; ++k) {
        const int v = neighbour[k];
        if (!bit(reached, v)) next[v / 32] |= 1u << v % 32;
    }
}
