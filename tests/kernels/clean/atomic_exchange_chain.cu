// expect: clean
// compare: exact
// buffer o: i32 1 zeros
// buffer s: i32 1 zeros
//! launch k<<<1, 64>>>(o, s)
extern "C" __global__ void k(int* o, int* s) {
    int old = atomicExch(o, threadIdx.x + 1);
    atomicAdd(s, old);
    __syncthreads();
    if (threadIdx.x == 0) { atomicAdd(s, o[0]); o[0] = 0; }
}
