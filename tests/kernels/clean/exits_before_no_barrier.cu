// expect: clean
// compare: exact
// buffer x: f32 1000 uniform const
// buffer o: f32 1000 uninitialized
//! launch k<<<4, 256>>>(x, o, 1000)
extern "C" __global__ void k(const float* x, float* o, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    if (x[i] < 0) {
        o[i] = 0;
        return;
    }
    o[i] = sqrtf(x[i]);
}
