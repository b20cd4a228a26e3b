// expect: clean
// compare: exact
// buffer x: i32 1024 integers 0 99 const
// buffer s: i32 4 uninitialized
// buffer c: u32 1 zeros
// buffer o: i32 1 uninitialized
//! launch k<<<4, 256>>>(x, s, c, o)
extern "C" __global__ void k(const int* x, int* s, unsigned* c, int* o) {
    __shared__ int part[256];
    __shared__ bool last;
    int t = threadIdx.x;
    part[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int j = 128; j > 0; j >>= 1) {
        if (t < j) part[t] += part[t + j];
        __syncthreads();
    }
    if (t == 0) {
        s[blockIdx.x] = part[0];
        __threadfence();
        last = atomicInc(c, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; b++) sum += s[b];
        o[0] = sum;
    }
}
