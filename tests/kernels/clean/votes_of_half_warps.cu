// expect: clean
// compare: exact
// buffer x: i32 64 integers -9 9 const
// buffer o: u32 64 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const int* x, unsigned* o) {
    int t = threadIdx.x;
    unsigned mask = t & 16 ? 0xffff0000u : 0x0000ffffu;
    if (t & 16)
        o[t] = __ballot_sync(mask, x[t] > 0);
    else
        o[t] = __ballot_sync(mask, x[t] < 0) + 1;
}
