// One level of a breadth-first search: which vertices are not reached yet and have a neighbour in the frontier?
//
// Started with one thread for each vertex. A warp has the 32 vertices of one word of the result; the ballot makes the word. As
// it stands every vertex that is not reached yet counts as found.

__device__ bool bit(const unsigned* words, int v) { return words[v / 32] >> v % 32 & 1; }

__global__ void bfs_level(const int* row_start, const int* neighbour, const unsigned* frontier, const unsigned* reached,
                          unsigned* next, int n, int edges) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    bool found = v < n && !bit(reached, v);

    // fill in: found only if one of neighbour[row_start[v]] ... neighbour[row_start[v + 1] - 1] is in the frontier

    unsigned word = __ballot_sync(0xffffffffu, found);
    if (v < n && v % 32 == 0) next[v / 32] = word;
}
