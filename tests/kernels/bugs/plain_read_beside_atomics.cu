// expect: race-shared
// buffer x: i32 64 integers 0 64 const
// buffer o: i32 64 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    __shared__ int h[64];
    int t = threadIdx.x;
    h[t] = 0;
    __syncthreads();
    atomicAdd(&h[x[t]], 1);
    o[t] = h[t];  // BUG
}
