// Expected counts of hash_count: a table with four slots for each different key, filled and asked one key at a time.
//! scratch slots unsigned next_pow2(4*distinct) zero
//! scratch times int next_pow2(4*distinct) zero
//! launch enter<<<ceil_div(n, 256), 256>>>(keys, slots, times, n, next_pow2(4*distinct))
//! launch expect_counts<<<ceil_div(m, 256), 256>>>(queries, slots, times, expected_counts, m, next_pow2(4*distinct))

__device__ unsigned long long mixed(unsigned long long bits) {
    bits *= 0x9E3779B97F4A7C15ull;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
    return bits ^ (bits >> 31);
}

__global__ void enter(const unsigned* keys, unsigned* slots, int* times, int n, int size) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    unsigned at = unsigned(mixed(keys[i])) % size, old = atomicCAS(&slots[at], 0u, keys[i]);
    while (old != 0 && old != keys[i]) {
        at = (at + 1) % size;
        old = atomicCAS(&slots[at], 0u, keys[i]);
    }
    atomicAdd(&times[at], 1);
}

__global__ void expect_counts(const unsigned* queries, const unsigned* slots, const int* times, int* expected, int m,
                              int size) {
    const int j = blockIdx.x * 256 + threadIdx.x;
    if (j >= m) return;
    unsigned at = unsigned(mixed(queries[j])) % size;
    while (slots[at] != 0 && slots[at] != queries[j]) at = (at + 1) % size;
    expected[j] = slots[at] == 0 ? 0 : times[at];
}

// The key of rank r, never 0; keys have ranks below 2^20, queries below 2^21, so that half of these are not found.
__device__ unsigned key_of(unsigned long long rank) { return max(unsigned(mixed(rank + 1) >> 32), 1u); }

__global__ void fill_keys(unsigned* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        data[i] = key_of(mixed(i + seed) >> 44);
    }
}

__global__ void fill_queries(unsigned* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        data[i] = key_of(mixed(i + seed) >> 43);
    }
}
