// expect: clean
// compare: exact
// buffer x: u32 256 bits const
// buffer o: u32 16 zeros
// buffer s: i32 4 zeros
//! launch k<<<1, 256>>>(x, o, s)
extern "C" __global__ void k(const unsigned* x, unsigned* o, int* s) {
    unsigned v = x[threadIdx.x];
    atomicAdd(&o[0], v);
    atomicSub(&o[1], v);
    atomicMin(&o[2], v);
    atomicMax(&o[3], v);
    atomicAnd(&o[4], v);
    atomicOr(&o[5], v & 0xff);
    atomicXor(&o[6], v);
    atomicInc(&o[7], 100);
    atomicDec(&o[8], 100);
    atomicMin(&s[0], (int)v);
    atomicMax(&s[1], (int)v);
}
