// expect: clean
// compare: exact
// buffer x: f32 64 uniform const
// buffer o: f32 64 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float s[64];
    float l[2] = {3.0f, (float)threadIdx.x};
    s[threadIdx.x] = 2 * x[threadIdx.x];
    __syncthreads();
    const float* p = threadIdx.x % 3 == 0 ? x + 1 : threadIdx.x % 3 == 1 ? s + 2 : l;
    o[threadIdx.x] = p[threadIdx.x & 1];
}
