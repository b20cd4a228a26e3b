// expect: clean
// compare: exact
// buffer x: i32 4 index const
// buffer o: i32 4 uninitialized
//! launch k<<<1, 4>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    if (x[threadIdx.x] == 2) printf("thread %d says %5.2f and %s\n", threadIdx.x, 1.5, "hello");
    o[threadIdx.x] = x[threadIdx.x];
}
