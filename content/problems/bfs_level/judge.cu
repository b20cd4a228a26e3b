// Expected bits of bfs_level: each thread looks along the neighbours of one vertex, a warp makes one word.
//! launch expect_level<<<ceil_div(n, 256), 256>>>(row_start, neighbour, frontier, reached, expected_next, n)

__device__ bool bit(const unsigned* words, int v) { return words[v / 32] >> v % 32 & 1; }

__global__ void expect_level(const int* row_start, const int* neighbour, const unsigned* frontier, const unsigned* reached,
                             unsigned* expected, int n) {
    const int v = blockIdx.x * 256 + threadIdx.x;
    bool found = false;
    if (v < n && !bit(reached, v)) {
        for (int k = row_start[v]; k < row_start[v + 1]; ++k) found = found || bit(frontier, neighbour[k]);
    }
    const unsigned word = __ballot_sync(0xffffffffu, found);
    if (v < n && v % 32 == 0) expected[v / 32] = word;
}

__device__ unsigned long long mixed(unsigned long long bits) {
    bits *= 0x9E3779B97F4A7C15ull;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
    return bits ^ (bits >> 31);
}

// 1024 numbers for every 64 vertices: vertex c of 64 has the numbers from c * c / 4 on, 0 to 32 of them.
__global__ void fill_row_start(int* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        data[i] = int(i / 64 * 1024 + i % 64 * (i % 64) / 4);
    }
}

// Number k of vertex c of a group leads to vertex c of the group with some bits turned, the same bits for all groups. Turning
// them again leads back, so each edge stands at both of its ends. The number of groups is a power of two.
__global__ void fill_neighbour(int* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        const int inside = int(i % 1024);
        int c = 0;
        for (int step = 32; step > 0; step /= 2) {
            if ((c + step) * (c + step) / 4 <= inside) c += step;
        }
        const unsigned long long turned = mixed(seed + c * 64 + (inside - c * c / 4)) & (elements / 1024 - 1);
        data[i] = int((i / 1024 ^ turned) * 64 + c);
    }
}

// Half of the vertices are reached, and half of those are the frontier.
__global__ void fill_reached(unsigned* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        data[i] = unsigned(mixed(i));
    }
}

__global__ void fill_frontier(unsigned* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        data[i] = unsigned(mixed(i)) & unsigned(mixed(i) >> 32);
    }
}
