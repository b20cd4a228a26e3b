// expect: race-global
// buffer x: f32 1024 uniform const
// buffer s: f32 4 zeros
// buffer c: u32 1 zeros
// buffer o: f32 1 uninitialized
//! launch k<<<4, 256>>>(x, s, c, o)
extern "C" __global__ void k(const float* x, float* s, unsigned* c, float* o) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        s[blockIdx.x] = x[blockIdx.x * 256];
        last = atomicAdd(c, 1u) == 3;
        if (last) {
            float sum = 0;
            for (int b = 0; b < 4; b++)
                sum += s[b];  // BUG
            o[0] = sum;
        }
    }
}
