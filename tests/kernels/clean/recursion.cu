// expect: clean
// compare: exact
// buffer x: i32 64 integers 0 10 const
// buffer o: i32 64 uninitialized
//! launch k<<<1, 64>>>(x, o)
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void k(const int* x, int* o) { o[threadIdx.x] = fibonacci(x[threadIdx.x]); }
