// expect: clean
// compare: exact
// buffer x: u64 256 bits const
// buffer o: u64 8 zeros
// buffer s: i64 2 zeros
//! launch k<<<1, 256>>>(x, o, s)
extern "C" __global__ void k(const unsigned long long* x, unsigned long long* o, long long* s) {
    unsigned long long v = x[threadIdx.x];
    atomicAdd(&o[0], v);
    atomicMin(&o[1], v);
    atomicMax(&o[2], v);
    atomicAnd(&o[3], v);
    atomicOr(&o[4], v & 0xff);
    atomicXor(&o[5], v);
    atomicMin(&s[0], (long long)v);
    atomicMax(&s[1], (long long)v);
}
