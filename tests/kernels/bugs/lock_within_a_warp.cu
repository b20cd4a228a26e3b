// expect: infinite-loop
// buffer l: i32 1 ones
// buffer o: i32 1 zeros
//! launch k<<<1, 32>>>(l, o)
extern "C" __global__ void k(int* l, int* o) {
    while (atomicCAS(l, 0, 1) != 0) {  // BUG
    }
    o[0] = 1;
    atomicExch(l, 0);
}
