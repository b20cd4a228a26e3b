// expect: missing-lane
// buffer o: u32 32 zeros
//! launch k<<<1, 32>>>(o)
extern "C" __global__ void k(unsigned* o) {
    __shared__ int stop;
    if (threadIdx.x < 16)
        o[threadIdx.x] = __ballot_sync(0xffffffff, 1);  // BUG
    else
        asm volatile("bar.sync 3, 32;" ::: "memory");  // BUG
}
