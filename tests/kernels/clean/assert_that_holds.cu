// expect: clean
// compare: exact
// buffer x: i32 64 index const
// buffer o: i32 64 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    assert(x[threadIdx.x] < 64);
    o[threadIdx.x] = 1;
}
