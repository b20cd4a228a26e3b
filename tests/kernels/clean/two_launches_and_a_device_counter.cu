// expect: clean
// compare: exact
// buffer x: i32 256 integers 0 9 const
// buffer o: i32 1 uninitialized
//! launch first<<<2, 128>>>(x)
//! launch second<<<1, 1>>>(o)
__device__ int total;
extern "C" __global__ void first(const int* x) { atomicAdd(&total, x[blockIdx.x * 128 + threadIdx.x]); }
extern "C" __global__ void second(int* o) { o[0] = total; total = 0; }
