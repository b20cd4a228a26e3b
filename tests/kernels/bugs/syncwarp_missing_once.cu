// expect: race-shared
// buffer x: i32 32 index const
// buffer o: i32 32 uninitialized
//! launch k<<<1, 32>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    int v = s[31 - t];
    s[t] = v + 1;  // BUG
    __syncwarp();
    o[t] = s[t];
}
