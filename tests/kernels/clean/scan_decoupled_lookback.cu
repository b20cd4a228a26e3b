// expect: clean
// compare: exact
// buffer x: i32 1024 integers 0 9 const
// buffer f: i32 4 zeros
// buffer p: i32 4 zeros
// buffer o: i32 4 uninitialized
//! launch k<<<4, 256>>>(x, f, p, o)
extern "C" __global__ void k(const int* x, volatile int* f, volatile int* p, int* o) {
    __shared__ int s[256];
    int t = threadIdx.x, b = blockIdx.x;
    s[t] = x[b * 256 + t];
    __syncthreads();
    for (int j = 128; j > 0; j >>= 1) {
        if (t < j) s[t] += s[t + j];
        __syncthreads();
    }
    if (t == 0) {
        int before = 0;
        if (b > 0) {
            while (f[b - 1] == 0) {
            }
            __threadfence();
            before = p[b - 1];
        }
        p[b] = before + s[0];
        __threadfence();
        f[b] = 1;
        o[b] = before + s[0];
    }
}
