// A warp for each group: find its beginning, add it up, write it.
//
// Idea: the groups are ascending, so halving finds the first number of a group.
// Cost: 8 bytes per number, and log2(n) loads for each group, each of which waits for the one before.
// Why no zero is needed: every group has exactly one owner, empty ones too.

//! launch segmented_sum<<<ceil_div(segments, 8), 256>>>(x, segment, out, n, segments)

__global__ void __launch_bounds__(256) segmented_sum(const float* x, const int* segment, float* out, int n,
                                                     int segments) {
    const int s = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (s >= segments) return;
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (segment[middle] < s) low = middle + 1; else high = middle;
    }
    float sum = 0.0f;
    for (long long i = low + lane; i < n && segment[i] == s; i += 32) sum += x[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0) out[s] = sum;
}
