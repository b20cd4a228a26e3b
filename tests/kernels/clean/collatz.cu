// expect: clean
// compare: exact
// buffer x: i32 256 integers -5 900 const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int v = x[threadIdx.x], c = 0;
    if (v <= 0) {
        o[threadIdx.x] = -1;
        return;
    }
    while (v != 1) {
        v = v & 1 ? 3 * v + 1 : v >> 1;
        c++;
    }
    o[threadIdx.x] = c;
}
