// expect: clean
// compare: exact
// buffer x: i32 64 integers 0 2 const
// buffer o: u32 64 zeros
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const int* x, unsigned* o) {
    if (x[threadIdx.x]) o[threadIdx.x] = __popc(__activemask()) > 0;
}
