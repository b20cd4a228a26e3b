// expect: uninitialized-local
// buffer x: f32 256 uniform const
// buffer o: f32 1 uninitialized
//! launch k<<<1, 1>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    float sum;
    for (int i = 0; i < 256; i++)
        sum += x[i];  // BUG
    o[0] = sum;
}
