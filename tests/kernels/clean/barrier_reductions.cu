// expect: clean
// compare: exact
// buffer x: i32 256 integers -9 9 const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int v = x[threadIdx.x];
    int c = __syncthreads_count(v > 0), a = __syncthreads_and(v > -20), b = __syncthreads_or(v == 7);
    o[threadIdx.x] = c * 4 + (a != 0) * 2 + (b != 0);
}
