// Expected values of compact_positions: each thread counts 256 elements on its own, one block scans the counts, and each
// thread writes its positions one after the other.
//! scratch counts int ceil_div(n, 256)
//! launch count_chunks<<<ceil_div(n, 65536), 256>>>(x, counts, n)
//! launch scan_counts<<<1, 1024>>>(counts, expected_count, ceil_div(n, 256))
//! launch write_chunks<<<ceil_div(n, 65536), 256>>>(x, counts, expected_positions, n, base)
//! launch write_rest<<<ceil_div(n, 256), 256>>>(expected_count, expected_positions, n)

constexpr int kChunk = 256;

__global__ void count_chunks(const int* x, int* counts, int n) {
    long long chunk = blockIdx.x * 256LL + threadIdx.x;
    if (chunk * kChunk >= n) return;
    int found = 0;
    for (long long i = chunk * kChunk; i < n && i < (chunk + 1) * kChunk; ++i) found += x[i] > 0;
    counts[chunk] = found;
}

__global__ void scan_counts(int* counts, long long* total, int chunks) {
    __shared__ long long sums[1024];
    const int share = (chunks + 1023) / 1024, first = threadIdx.x * share, last = min(chunks, first + share);
    long long sum = 0;
    for (int i = first; i < last; ++i) sum += counts[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        long long before = 0;
        for (int t = 0; t < 1024; ++t) {
            long long own = sums[t];
            sums[t] = before;
            before += own;
        }
        *total = before;
    }
    __syncthreads();
    sum = sums[threadIdx.x];
    for (int i = first; i < last; ++i) {
        int own = counts[i];
        counts[i] = int(sum);
        sum += own;
    }
}

__global__ void write_chunks(const int* x, const int* counts, long long* positions, int n, long long base) {
    long long chunk = blockIdx.x * 256LL + threadIdx.x;
    if (chunk * kChunk >= n) return;
    long long to = counts[chunk];
    for (long long i = chunk * kChunk; i < n && i < (chunk + 1) * kChunk; ++i) {
        if (x[i] > 0) positions[to++] = base + i;
    }
}

__global__ void write_rest(const long long* total, long long* positions, int n) {
    long long i = blockIdx.x * 256LL + threadIdx.x;
    if (i < n && i >= *total) positions[i] = -1;
}
