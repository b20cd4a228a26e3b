// expect: clean
// compare: exact
// buffer x: i32 256 index const
// buffer o: i32 1 zeros
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    if (x[threadIdx.x] > 100) o[0] = 1;
}
