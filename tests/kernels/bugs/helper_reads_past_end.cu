// expect: out-of-bounds
// buffer x: f32 1000 uniform const
// buffer o: f32 1000 uninitialized
//! launch k<<<4, 256>>>(x, o, 1000)
__device__ __noinline__ float neighbour(const float* x, int i) {
    return x[i + 1];  // BUG
}
extern "C" __global__ void k(const float* x, float* o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) o[i] = neighbour(x, i);
}
