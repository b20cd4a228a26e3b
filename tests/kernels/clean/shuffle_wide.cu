// expect: clean
// compare: exact
// buffer x: f64 64 uniform const
// buffer o: f64 64 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const double* x, double* o) {
    o[threadIdx.x] = __shfl_xor_sync(0xffffffff, x[threadIdx.x], 1) + __shfl_sync(0xffffffff, (long long)threadIdx.x, 3);
}
