//! scratch ticket int 1 zero
//! scratch flags int ceil_div(n, 256) zero
//! scratch sums int ceil_div(n, 256)
//! scratch prefixes int ceil_div(n, 256)
//! launch inclusive_scan<<<ceil_div(n, 256), 256>>>(x, y, ticket, flags, sums, prefixes, n)
// Decoupled look-back by one thread, with fences between values and volatile flags.
__global__ void inclusive_scan(const int* x, int* y, int* ticket, volatile int* flags, volatile int* sums,
                               volatile int* prefixes, int n) {
    __shared__ int s[256], drawn, before;
    if (threadIdx.x == 0) drawn = atomicAdd(ticket, 1);
    __syncthreads();
    int tile = drawn, t = threadIdx.x, i = tile * 256 + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    if (t == 0) {
        int prefix = 0;
        if (tile > 0) {
            sums[tile] = s[255];
            __threadfence();
            flags[tile] = 1;
            for (int k = tile - 1; k >= 0; --k) {
                int flag;
                while ((flag = flags[k]) == 0) {}
                __threadfence();
                prefix += flag == 2 ? prefixes[k] : sums[k];
                if (flag == 2) break;
            }
        }
        prefixes[tile] = prefix + s[255];
        __threadfence();
        flags[tile] = 2;
        before = prefix;
    }
    __syncthreads();
    if (i < n) y[i] = s[t] + before;
}
