// expect: missing-barrier
// buffer x: f32 256 uniform const
// buffer o: f32 1 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];  // BUG
    }
    __syncthreads();
    if (t == 0) o[0] = s[0];
}
