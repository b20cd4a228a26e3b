// Expected values of radix_pass: each thread takes 256 keys one after the other, with a counter for each digit.
//! scratch counts int 16*ceil_div(n, 256)
//! scratch totals long long 16
//! launch count_chunks<<<ceil_div(n, 65536), 256>>>(keys, counts, n, shift, ceil_div(n, 256))
//! launch scan_digit<<<16, 256>>>(counts, totals, ceil_div(n, 256))
//! launch place_chunks<<<ceil_div(n, 65536), 256>>>(keys, counts, totals, expected_sorted, n, shift, ceil_div(n, 256))

constexpr int kChunk = 256;

__global__ void count_chunks(const unsigned* keys, int* counts, int n, int shift, int chunks) {
    long long chunk = blockIdx.x * 256LL + threadIdx.x;
    if (chunk >= chunks) return;
    for (int d = 0; d < 16; ++d) counts[d * (long long)chunks + chunk] = 0;
    for (long long i = chunk * kChunk; i < n && i < (chunk + 1) * kChunk; ++i) {
        ++counts[(keys[i] >> shift & 15) * (long long)chunks + chunk];
    }
}

// What comes before each chunk among the keys of one digit.
__global__ void scan_digit(int* counts, long long* totals, int chunks) {
    __shared__ long long sums[256];
    int* mine = counts + blockIdx.x * (long long)chunks;
    const int share = (chunks + 255) / 256, first = threadIdx.x * share, last = min(chunks, first + share);
    long long sum = 0;
    for (int i = first; i < last; ++i) sum += mine[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (int t = 0; t < threadIdx.x; ++t) sum += sums[t];
    if (threadIdx.x == 255) totals[blockIdx.x] = sum + sums[255];
    for (int i = first; i < last; ++i) {
        int own = mine[i];
        mine[i] = int(sum);
        sum += own;
    }
}

__global__ void place_chunks(const unsigned* keys, int* counts, const long long* totals, unsigned* sorted, int n,
                             int shift, int chunks) {
    long long chunk = blockIdx.x * 256LL + threadIdx.x;
    if (chunk >= chunks) return;
    long long smaller[16], before = 0;
    for (int d = 0; d < 16; ++d) {
        smaller[d] = before;
        before += totals[d];
    }
    for (long long i = chunk * kChunk; i < n && i < (chunk + 1) * kChunk; ++i) {
        int digit = keys[i] >> shift & 15;
        sorted[smaller[digit] + counts[digit * (long long)chunks + chunk]++] = keys[i];
    }
}

__global__ void fill_keys(unsigned* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        data[i] = unsigned(bits >> 32);
    }
}
