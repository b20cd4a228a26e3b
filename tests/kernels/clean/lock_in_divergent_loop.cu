// expect: clean
// compare: exact
// buffer l: i32 1 zeros
// buffer o: i32 1 zeros
//! launch k<<<2, 32>>>(l, o)
extern "C" __global__ void k(int* l, int* o) {
    bool done = false;
    while (!done) {
        if (atomicCAS(l, 0, 1) == 0) {
            __threadfence();
            *o += 1;
            __threadfence();
            atomicExch(l, 0);
            done = true;
        }
    }
}
