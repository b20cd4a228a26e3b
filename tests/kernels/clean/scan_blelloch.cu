// expect: clean
// compare: exact
// buffer x: i32 512 integers 0 9 const
// buffer o: i32 512 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    __shared__ int s[512];
    int t = threadIdx.x, step = 1;
    s[2 * t] = x[2 * t];
    s[2 * t + 1] = x[2 * t + 1];
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
        step *= 2;
    }
    if (t == 0) s[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        step >>= 1;
        __syncthreads();
        if (t < d) {
            int a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1, v = s[a];
            s[a] = s[b];
            s[b] += v;
        }
    }
    __syncthreads();
    o[2 * t] = s[2 * t];
    o[2 * t + 1] = s[2 * t + 1];
}
