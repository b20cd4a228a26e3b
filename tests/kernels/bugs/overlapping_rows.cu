// expect: race-global
// buffer o: i32 1024 uninitialized
//! launch k<<<4, 256>>>(o)
extern "C" __global__ void k(int* o) {
    o[(blockIdx.x * 256 + threadIdx.x) % 1000] = blockIdx.x;  // BUG
}
