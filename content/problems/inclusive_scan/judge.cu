// Expected values of inclusive_scan in three plain phases, each a thread for itself: a segment's sum, the sums'
// running total, then the segment again. Slow, but without a barrier that could be forgotten.
//! scratch segment_sum long long ceil_div(n, 4096)
//! launch sum_segments<<<ceil_div(ceil_div(n, 4096), 64), 64>>>(x, segment_sum, n)
//! launch scan_sums<<<1, 1024>>>(segment_sum, ceil_div(n, 4096))
//! launch scan_segments<<<ceil_div(ceil_div(n, 4096), 64), 64>>>(x, segment_sum, expected_y, n)

constexpr long long kSegment = 4096;

__global__ void sum_segments(const int* x, long long* segment_sum, int n) {
    long long segment = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (segment * kSegment >= n) return;
    long long sum = 0;
    for (long long i = segment * kSegment; i < n && i < (segment + 1) * kSegment; ++i) sum += x[i];
    segment_sum[segment] = sum;
}

// Exclusive: afterwards each entry is the sum of all segments before it.
__global__ void scan_sums(long long* segment_sum, int segments) {
    __shared__ long long before[1024];
    int per_thread = (segments + 1023) / 1024;
    int first = threadIdx.x * per_thread, last = min(first + per_thread, segments);
    long long sum = 0;
    for (int i = first; i < last; ++i) sum += segment_sum[i];
    before[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        long long running = 0;
        for (int i = 0; i < 1024; ++i) {
            long long here = before[i];
            before[i] = running;
            running += here;
        }
    }
    __syncthreads();
    sum = before[threadIdx.x];
    for (int i = first; i < last; ++i) {
        long long here = segment_sum[i];
        segment_sum[i] = sum;
        sum += here;
    }
}

__global__ void scan_segments(const int* x, const long long* segment_sum, int* expected, int n) {
    long long segment = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (segment * kSegment >= n) return;
    long long sum = segment_sum[segment];
    for (long long i = segment * kSegment; i < n && i < (segment + 1) * kSegment; ++i) {
        sum += x[i];
        expected[i] = int(sum);
    }
}

__global__ void fill_x(int* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        data[i] = int((bits >> 40) % 201) - 100;
    }
}
