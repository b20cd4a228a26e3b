// expect: clean
// compare: exact
// buffer x: i32 128 bits const
// buffer o: i32 1024 uninitialized
//! launch k<<<1, 128>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int t = threadIdx.x, v = x[t];
    o[t] = __reduce_add_sync(0xffffffff, v);
    o[128 + t] = __reduce_min_sync(0xffffffff, v);
    o[256 + t] = __reduce_max_sync(0xffffffff, v);
    o[384 + t] = __reduce_min_sync(0xffffffff, (unsigned)v);
    o[512 + t] = __reduce_max_sync(0xffffffff, (unsigned)v);
    o[640 + t] = __reduce_and_sync(0xffffffff, v | 15);
    o[768 + t] = __reduce_or_sync(0xffffffff, v & 255);
    o[896 + t] = __reduce_xor_sync(0xffffffff, v);
}
