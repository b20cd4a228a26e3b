// expect: clean
// compare: exact
// buffer x: i32 256 integers 0 14 const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int v = x[threadIdx.x], r = 0;
    switch (v) {
        case 0: r = 5; break;
        case 1: r = v * 77; break;
        case 2: r = __popc(v * 91);
        case 3: r ^= 12; break;
        case 4: r = v << 4; break;
        case 5: r = -v; break;
        case 6: r = v / 3; break;
        case 7: r = v % 3; break;
        case 8: r = v * v; break;
        case 9: r = ~v; break;
        case 10: r = v + 1000; break;
        default: r = 99;
    }
    o[threadIdx.x] = r;
}
