// expect: clean
// compare: exact
// buffer a: f32 1000 uniform const
// buffer b: f32 1000 uniform const
// buffer o: f32 1000 uninitialized
//! launch k<<<4, 256>>>(a, b, o, 1000)
extern "C" __global__ void k(const float* a, const float* b, float* o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) o[i] = a[i] + b[i];
}
