// verdict: wrong_answer
// Four elements for each thread, and a counter that all of them raise: every position is there, but not in order.

//! launch clear<<<ceil_div(n, 256), 256>>>(positions, count, n)
//! launch compact_positions<<<ceil_div(n, 1024), 256>>>(x, positions, count, n, base)

__global__ void clear(long long* positions, long long* count, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) positions[i] = -1;
    if (i == 0) *count = 0;
}

__global__ void compact_positions(const int* x, long long* positions, long long* count, int n, long long base) {
    long long first = (blockIdx.x * 256LL + threadIdx.x) * 4;
    for (long long i = first; i < first + 4 && i < n; ++i) {
        if (x[i] > 0) {
            unsigned long long place = atomicAdd(reinterpret_cast<unsigned long long*>(count), 1ull);
            positions[place] = base + i;
        }
    }
}
