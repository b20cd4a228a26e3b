// expect: infinite-loop
// buffer x: i32 64 integers -9 -1 const
// buffer o: i32 64 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int v = x[threadIdx.x];
    while (v != 1) {  // BUG
        v = v & 1 ? 3 * v + 1 : v >> 1;  // BUG
    }  // BUG
    o[threadIdx.x] = v;
}
