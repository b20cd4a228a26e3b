// expect: clean
// compare: exact
// buffer x: i32 128 integers 0 6 const
// buffer o: u32 256 uninitialized
//! launch k<<<1, 128>>>(x, o)
extern "C" __global__ void k(const int* x, unsigned* o) {
    int t = threadIdx.x, p;
    o[2 * t] = __match_any_sync(0xffffffff, x[t]);
    o[2 * t + 1] = __match_all_sync(0xffffffff, x[t / 64], &p) + p;
}
