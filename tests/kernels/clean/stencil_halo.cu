// expect: clean
// compare: exact
// buffer x: f32 512 uniform const
// buffer o: f32 512 uninitialized
//! launch k<<<4, 128>>>(x, o, 512)
extern "C" __global__ void k(const float* x, float* o, int n) {
    __shared__ float s[130];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = x[i];
    if (t == 0) s[0] = i > 0 ? x[i - 1] : 0;
    if (t == 127) s[129] = i + 1 < n ? x[i + 1] : 0;
    __syncthreads();
    o[i] = s[t] + s[t + 1] + s[t + 2];
}
