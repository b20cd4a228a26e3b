// expect: clean
// compare: exact
// buffer x: f32 512 uniform const
// buffer o: f32 512 uninitialized
//! launch k<<<2, 256, 3072>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    extern __shared__ double d[];
    float* s = (float*)(d + 256);
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 256 + t];
    d[t] = t;
    __syncthreads();
    o[blockIdx.x * 256 + t] = s[255 - t] + (float)d[t ^ 1];
}
