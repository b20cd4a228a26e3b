// expect: clean
// compare: exact
// buffer x: i32 256 integers 0 9 const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    __shared__ int s[2][256];
    int t = threadIdx.x, p = 0;
    s[0][t] = x[t];
    __syncthreads();
    for (int j = 1; j < 256; j <<= 1) {
        s[1 - p][t] = t >= j ? s[p][t] + s[p][t - j] : s[p][t];
        p = 1 - p;
        __syncthreads();
    }
    o[t] = s[p][t];
}
