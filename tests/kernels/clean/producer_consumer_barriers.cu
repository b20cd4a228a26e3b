// expect: clean
// compare: exact
// buffer x: i32 64 index const
// buffer o: i32 64 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    __shared__ int s[32];
    int t = threadIdx.x;
    for (int j = 0; j < 2; j++) {
        if (t < 32) {
            s[t] = x[t + 32 * j];
            __threadfence_block();
            asm volatile("bar.arrive 1, 64;" ::: "memory");
            asm volatile("bar.sync 2, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            o[t - 32 + 32 * j] = s[63 - t];
            asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
}
