// expect: shift-too-far
// buffer x: i32 64 ones const
// buffer o: i32 64 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int i = threadIdx.x;
    o[i] = x[i] << i;  // BUG: from lane 32 on
}
