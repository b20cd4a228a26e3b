// expect: clean
// compare: exact
// buffer x: i32 256 integers 0 20 const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    __shared__ int s[256];
    int t = threadIdx.x, v = 0;
    for (int j = 0; j < x[t]; j++) v += j;
    s[t] = v;
    __syncthreads();
    o[t] = s[255 - t];
}
