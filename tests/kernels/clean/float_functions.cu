// expect: clean
// compare: relative 4e-6
// buffer x: f32 1024 positive const
// buffer o: f32 16384 uninitialized
//! launch k<<<4, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float v = x[i];
    float r[16] = {sinf(v), cosf(v), tanf(v), expf(v), logf(v), powf(v, 2.5f), tanhf(v), erff(v), sqrtf(v), rsqrtf(v), cbrtf(v), atan2f(v, 2.0f), expm1f(v), log1pf(v), fmodf(v, 0.7f), lgammaf(v)};
    for (int j = 0; j < 16; j++) o[j * 1024 + i] = r[j];
}
