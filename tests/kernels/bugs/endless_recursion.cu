// expect: endless-recursion
// buffer o: i32 32 uninitialized
//! launch k<<<1, 32>>>(o)
__device__ __noinline__ int down(int n) {
    return n == -1 ? 0 : 1 + down(n + 1);  // BUG
}
extern "C" __global__ void k(int* o) {
    o[threadIdx.x] = down(threadIdx.x);
}
