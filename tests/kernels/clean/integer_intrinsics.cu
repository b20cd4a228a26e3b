// expect: clean
// compare: exact
// buffer x: i32 256 bits const
// buffer o: i32 2048 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int t = threadIdx.x, v = x[t];
    o[t] = __popc(v) + __clz(v) * 64 + __ffs(v) * 4096;
    o[256 + t] = __brev(v);
    o[512 + t] = __mulhi(v, 1234567);
    o[768 + t] = __byte_perm(v, t, 0x5140);
    o[1024 + t] = __funnelshift_l(v, t, 7);
    o[1280 + t] = __sad(v, t, 5u);
    o[1536 + t] = __vadd4(v, 0x01020304);
    o[1792 + t] = __rhadd(v, t) + __hadd(v, t);
}
