// expect: clean
// compare: exact
// buffer x: i32 256 bits const
// buffer o: i32 1024 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int t = threadIdx.x, v = x[t];
    o[t] = v / 7;
    o[256 + t] = v % 11;
    o[512 + t] = (unsigned)v / 10u;
    o[768 + t] = (int)((long long)v * v / 1000003);
}
