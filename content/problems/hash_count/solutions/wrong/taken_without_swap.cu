// verdict: race
// An empty slot is taken by a plain store: two keys may both find it empty, and one of them is lost.

//! scratch slots unsigned next_pow2(2*distinct) zero
//! scratch times int next_pow2(2*distinct) zero
//! launch enter<<<ceil_div(n, 256), 256>>>(keys, slots, times, n, next_pow2(2*distinct))
//! launch look_up<<<ceil_div(m, 256), 256>>>(queries, slots, times, counts, m, next_pow2(2*distinct))

__device__ unsigned hash(unsigned key) {
    key = (key ^ key >> 16) * 0x85EBCA6Bu;
    key = (key ^ key >> 13) * 0xC2B2AE35u;
    return key ^ key >> 16;
}

__global__ void enter(const unsigned* keys, unsigned* slots, int* times, int n, int size) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    const unsigned key = keys[i];
    unsigned at = hash(key) & (size - 1);
    while (slots[at] != 0 && slots[at] != key) at = (at + 1) & (size - 1);
    slots[at] = key;
    atomicAdd(&times[at], 1);
}

__global__ void look_up(const unsigned* queries, const unsigned* slots, const int* times, int* counts, int m, int size) {
    const int j = blockIdx.x * 256 + threadIdx.x;
    if (j >= m) return;
    const unsigned query = queries[j];
    unsigned at = hash(query) & (size - 1);
    while (slots[at] != 0 && slots[at] != query) at = (at + 1) & (size - 1);
    counts[j] = slots[at] == query ? times[at] : 0;
}
