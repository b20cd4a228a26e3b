// expect: clean
// compare: relative 1e-5
// buffer x: f32 1024 positive const
// buffer o: f32 6144 uninitialized
//! launch k<<<4, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float v = x[i];
    o[i] = __expf(v);
    o[1024 + i] = __fdividef(v, 3.0f);
    o[2048 + i] = __frsqrt_rn(v);
    o[3072 + i] = __fadd_rz(v, 0.1f);
    o[4096 + i] = __powf(v, 1.5f);
    o[5120 + i] = __log2f(v + 2);
}
