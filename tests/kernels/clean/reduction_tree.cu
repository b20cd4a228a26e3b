// expect: clean
// compare: exact
// buffer x: f32 512 uniform const
// buffer o: f32 2 uninitialized
//! launch k<<<2, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int j = 128; j > 0; j >>= 1) {
        if (t < j) s[t] += s[t + j];
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = s[0];
}
