// expect: uninitialized-local
// buffer x: i32 256 integers -4 4 const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int t = threadIdx.x, v;
    if (x[t] > 0) v = x[t];
    o[t] = v + 1;  // BUG
}
