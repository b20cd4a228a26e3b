// verdict: wrong_answer
// Whoever loses a slot goes on to the next one without asking who won. An equal key may have: then it is in the table twice.

//! scratch table unsigned 2*next_pow2(2*distinct) zero
//! launch enter<<<ceil_div(n, 256), 256>>>(keys, table, n, next_pow2(2*distinct))
//! launch look_up<<<ceil_div(m, 256), 256>>>(queries, table, counts, m, next_pow2(2*distinct))

__device__ unsigned hash(unsigned key) {
    key = (key ^ key >> 16) * 0x85EBCA6Bu;
    key = (key ^ key >> 13) * 0xC2B2AE35u;
    return key ^ key >> 16;
}

__global__ void __launch_bounds__(256) enter(const unsigned* __restrict__ keys, uint2* table, int n, int size) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    const unsigned key = keys[i];
    for (unsigned at = hash(key) & (size - 1);; at = (at + 1) & (size - 1)) {
        const unsigned there = *(volatile unsigned*)&table[at].x;
        if (there == key || (there == 0 && atomicCAS(&table[at].x, 0u, key) == 0)) {
            atomicAdd(&table[at].y, 1u);
            return;
        }
    }
}

__global__ void __launch_bounds__(256) look_up(const unsigned* __restrict__ queries, const uint2* __restrict__ table,
                                               int* __restrict__ counts, int m, int size) {
    const int j = blockIdx.x * 256 + threadIdx.x;
    if (j >= m) return;
    const unsigned query = queries[j];
    unsigned at = hash(query) & (size - 1);
    uint2 there = table[at];
    while (there.x != 0 && there.x != query) {
        at = (at + 1) & (size - 1);
        there = table[at];
    }
    counts[j] = there.x == query ? int(there.y) : 0;
}
