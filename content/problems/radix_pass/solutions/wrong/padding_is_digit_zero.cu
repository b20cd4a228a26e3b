// verdict: wrong_answer
// Threads behind the end bring the key 0 along, which is counted among the keys of digit 0 and moves all others.

__global__ void radix_pass(const unsigned* keys, unsigned* sorted, int n, int shift) {
    __shared__ int next[17], table[8][17];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x < 17) next[threadIdx.x] = 0;
    if (threadIdx.x < 8 * 17) table[threadIdx.x / 17][threadIdx.x % 17] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < (n + 255) / 256 * 256; i += 256) atomicAdd(&next[(i < n ? keys[i] : 0) >> shift & 15], 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        int before = 0;
        for (int d = 0; d < 17; ++d) {
            int own = next[d];
            next[d] = before;
            before += own;
        }
    }
    __syncthreads();
    for (long long start = 0; start < n; start += 256) {
        long long i = start + threadIdx.x;
        unsigned key = i < n ? keys[i] : 0;
        int digit = key >> shift & 15;
        unsigned peers = __match_any_sync(0xffffffffu, digit);
        int rank = __popc(peers & ((1u << lane) - 1));
        if (rank == 0) table[warp][digit] = __popc(peers);
        __syncthreads();
        int place = next[digit] + rank;
        for (int w = 0; w < warp; ++w) place += table[w][digit];
        if (i < n && place < n) sorted[place] = key;
        __syncthreads();
        if (threadIdx.x < 17) {
            for (int w = 0; w < 8; ++w) {
                next[threadIdx.x] += table[w][threadIdx.x];
                table[w][threadIdx.x] = 0;
            }
        }
        __syncthreads();
    }
}
