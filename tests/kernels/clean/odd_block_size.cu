// expect: clean
// compare: exact
// buffer x: f32 1000 uniform const
// buffer o: f32 1000 uninitialized
//! launch k<<<11, 97>>>(x, o, 1000)
extern "C" __global__ void k(const float* x, float* o, int n) {
    __shared__ float s[97];
    int t = threadIdx.x, i = blockIdx.x * 97 + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n) o[i] = s[96 - t] + __shfl_down_sync(__activemask(), s[t], 0);
}
