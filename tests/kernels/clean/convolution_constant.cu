// expect: clean
// compare: exact
// buffer x: f32 256 uniform const
// buffer o: f32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
__constant__ float w[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
extern "C" __global__ void k(const float* x, float* o) {
    int t = threadIdx.x;
    float s = 0;
    for (int j = -2; j <= 2; j++)
        if (t + j >= 0 && t + j < 256) s += w[j + 2] * x[t + j];
    o[t] = s;
}
