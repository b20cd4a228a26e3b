// verdict: race
// Keys and queries in one launch: the barrier waits for the own block alone, and other blocks are still entering keys.

//! scratch slots unsigned next_pow2(2*distinct) zero
//! scratch times int next_pow2(2*distinct) zero
//! launch hash_count<<<ceil_div(max(n, m), 256), 256>>>(keys, queries, slots, times, counts, n, m, next_pow2(2*distinct))

__device__ unsigned hash(unsigned key) {
    key = (key ^ key >> 16) * 0x85EBCA6Bu;
    key = (key ^ key >> 13) * 0xC2B2AE35u;
    return key ^ key >> 16;
}

__global__ void hash_count(const unsigned* keys, const unsigned* queries, unsigned* slots, int* times, int* counts, int n,
                           int m, int size) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        const unsigned key = keys[i];
        unsigned at = hash(key) & (size - 1), there = atomicCAS(&slots[at], 0u, key);
        while (there != 0 && there != key) {
            at = (at + 1) & (size - 1);
            there = atomicCAS(&slots[at], 0u, key);
        }
        atomicAdd(&times[at], 1);
    }
    __syncthreads();
    if (i >= m) return;
    const unsigned query = queries[i];
    unsigned at = hash(query) & (size - 1);
    while (slots[at] != 0 && slots[at] != query) at = (at + 1) & (size - 1);
    counts[i] = slots[at] == query ? times[at] : 0;
}
