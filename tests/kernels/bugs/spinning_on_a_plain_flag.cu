// expect: infinite-loop
// buffer f: i32 1 zeros
// buffer o: i32 64 uninitialized
//! launch k<<<1, 64>>>(f, o)
extern "C" __global__ void k(volatile int* f, int* o) {
    while (f[0] == 0) {  // BUG
    }
    o[threadIdx.x] = 1;
}
