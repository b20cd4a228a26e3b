// expect: clean
// compare: exact
// buffer l: i32 1 zeros
// buffer o: i32 1 zeros
//! launch k<<<8, 32>>>(l, o)
extern "C" __global__ void k(int* l, volatile int* o) {
    if (threadIdx.x == 0) {
        while (atomicCAS(l, 0, 1) != 0) {
        }
        __threadfence();
        o[0] = o[0] + blockIdx.x + 1;
        __threadfence();
        atomicExch(l, 0);
    }
}
