// expect: clean
// compare: exact
// buffer c: u32 1 zeros
// buffer o: u32 256 zeros
//! launch k<<<1, 256>>>(c, o)
extern "C" __global__ void k(unsigned* c, unsigned* o) {
    unsigned ticket = atomicAdd(c, 1u);
    atomicAdd(&o[ticket], 1u);
}
