// expect: clean
// compare: exact
// buffer x: i32 256 integers 0 9 const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int t = threadIdx.x, v = x[t];
    for (int j = 1; j < 32; j <<= 1) {
        int w = __shfl_up_sync(0xffffffff, v, j);
        if ((t & 31) >= j) v += w;
    }
    o[t] = v;
}
