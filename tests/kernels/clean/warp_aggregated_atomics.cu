// expect: clean
// compare: exact
// buffer x: i32 256 integers -9 9 const
// buffer c: i32 1 zeros
//! launch k<<<1, 256>>>(x, c)
extern "C" __global__ void k(const int* x, int* c) {
    bool keep = x[threadIdx.x] > 0;
    unsigned m = __ballot_sync(0xffffffff, keep);
    if (keep && (threadIdx.x & 31) == __ffs(m) - 1) atomicAdd(c, __popc(m));
}
