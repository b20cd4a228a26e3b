// expect: out-of-bounds
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(o)
__device__ int table[16];
extern "C" __global__ void k(int* o) {
    int t = threadIdx.x;
    o[t] = table[t & 31];  // BUG
}
