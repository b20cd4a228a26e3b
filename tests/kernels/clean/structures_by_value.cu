// expect: clean
// compare: exact
// buffer x: f32 64 uniform const
// buffer o: f32 64 uninitialized
//! launch k<<<1, 64>>>(x, o)
struct Pair { float a; double b; char c; };
__device__ __noinline__ Pair make(float v) { Pair p; p.a = v; p.b = 2 * v; p.c = (char)(v * 100); return p; }
__device__ __noinline__ float sum(Pair p) { return p.a + (float)p.b + p.c; }
extern "C" __global__ void k(const float* x, float* o) { o[threadIdx.x] = sum(make(x[threadIdx.x])); }
