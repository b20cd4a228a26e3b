// expect: divergent-barrier
// buffer o: i32 128 uninitialized
//! launch k<<<1, 128>>>(o)
extern "C" __global__ void k(int* o) {
    int t = threadIdx.x;
    if (t < 64)
        asm volatile("bar.sync 1, 128;" ::: "memory");  // BUG
    else
        asm volatile("bar.sync 2, 128;" ::: "memory");  // BUG
    o[t] = t;
}
