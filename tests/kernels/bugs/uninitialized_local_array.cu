// expect: uninitialized-local
// buffer x: i32 256 integers 0 4 const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int t = threadIdx.x, a[8];
    for (int j = 0; j < x[t]; j++) a[j] = j;
    o[t] = a[4];  // BUG
}
