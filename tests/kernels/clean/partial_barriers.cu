// expect: clean
// compare: exact
// buffer x: i32 128 index const
// buffer o: i32 128 uninitialized
//! launch k<<<1, 128>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    o[t] = s[t ^ 63];
}
