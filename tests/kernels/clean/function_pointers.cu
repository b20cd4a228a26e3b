// expect: clean
// compare: exact
// buffer x: f32 64 uniform const
// buffer o: f32 64 uninitialized
//! launch k<<<1, 64>>>(x, o, 1)
typedef float (*F)(float);
__device__ float up(float v) { return v + 1; }
__device__ float twice(float v) { return v * 2; }
__device__ F chosen = twice;
extern "C" __global__ void k(const float* x, float* o, int s) {
    F t[2] = {up, twice};
    o[threadIdx.x] = chosen(t[(s + threadIdx.x) & 1](x[threadIdx.x]));
}
