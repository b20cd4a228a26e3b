// Stream compaction: the positions of all elements above zero, in order, then -1.
//
// Started as compact_positions<<<1, 256>>>(x, positions, count, n, base). The loop over tiles of 256 elements is there; as
// it stands it takes every element.

__global__ void compact_positions(const int* x, long long* positions, long long* count, int n, long long base) {
    long long found = 0;  // of all earlier tiles; the same in every thread
    for (int start = 0; start < n; start += 256) {
        int i = start + threadIdx.x;
        bool wanted = i < n && x[i] > 0;

        // fill in: how many threads of lower index want a place, and how many do in all?
        long long rank = threadIdx.x;
        int in_this_tile = min(256, n - start);

        if (wanted) positions[found + rank] = base + i;
        found += in_this_tile;
    }
    for (long long i = found + threadIdx.x; i < n; i += 256) positions[i] = -1;
    if (threadIdx.x == 0) *count = found;
}
