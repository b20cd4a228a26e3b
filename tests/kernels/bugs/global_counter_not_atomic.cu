// expect: race-global
// buffer x: i32 1024 integers 0 9 const
// buffer c: i32 1 zeros
//! launch k<<<4, 256>>>(x, c)
extern "C" __global__ void k(const int* x, int* c) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (x[i] & 1)
        c[0] += x[i];  // BUG
}
