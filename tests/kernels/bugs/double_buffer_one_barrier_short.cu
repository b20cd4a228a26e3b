// expect: missing-barrier
// buffer x: f32 1024 uniform const
// buffer o: f32 1024 uninitialized
//! launch k<<<1, 128>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float s[2][128];
    int t = threadIdx.x;
    for (int i = 0; i < 8; i++) {
        s[i & 1][t] = x[i * 128 + t];
        o[i * 128 + t] = s[i & 1][127 - t];  // BUG
        __syncthreads();
    }
}
