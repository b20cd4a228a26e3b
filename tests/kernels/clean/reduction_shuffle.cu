// expect: clean
// compare: exact
// buffer x: f32 1024 uniform const
// buffer o: f32 4 uninitialized
//! launch k<<<4, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float s[8];
    int t = threadIdx.x;
    float v = x[blockIdx.x * 256 + t];
    for (int j = 16; j > 0; j >>= 1) v += __shfl_down_sync(0xffffffff, v, j);
    if (t % 32 == 0) s[t / 32] = v;
    __syncthreads();
    if (t < 32) {
        v = t < 8 ? s[t] : 0;
        for (int j = 4; j > 0; j >>= 1) v += __shfl_xor_sync(0xffffffff, v, j);
        if (t == 0) o[blockIdx.x] = v;
    }
}
