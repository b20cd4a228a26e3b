// expect: clean
// compare: exact
// buffer x: f32 1000 uniform const
// buffer o: f32 1000 uninitialized
//! launch k<<<2, 128>>>(x, o, 1000)
extern "C" __global__ void k(const float* x, float* o, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) o[i] = 2 * x[i];
}
