// expect: out-of-bounds
// buffer x: i32 256 index const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int t = threadIdx.x, a[8];
    for (int j = 0; j < 8; j++) a[j] = x[j];
    a[t >> 3] = t;  // BUG
    o[t] = a[t & 7];
}
