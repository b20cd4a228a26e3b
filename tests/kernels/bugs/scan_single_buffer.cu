// expect: missing-barrier
// buffer x: i32 256 integers 0 9 const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 1; k < 256; k <<= 1) {
        if (t >= k)
            s[t] += s[t - k];  // BUG
        __syncthreads();
    }
    o[t] = s[t];
}
