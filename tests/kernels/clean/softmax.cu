// expect: clean
// compare: ulp 8
// buffer x: f32 1024 uniform const
// buffer o: f32 1024 uninitialized
//! launch k<<<8, 64>>>(x, o, 128)
extern "C" __global__ void k(const float* x, float* o, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    x += blockIdx.x * n;
    o += blockIdx.x * n;
    float m = -INFINITY;
    for (int i = t; i < n; i += 64) m = fmaxf(m, x[i]);
    s[t] = m;
    __syncthreads();
    for (int j = 32; j; j >>= 1) {
        if (t < j) s[t] = fmaxf(s[t], s[t + j]);
        __syncthreads();
    }
    m = s[0];
    __syncthreads();
    float sum = 0;
    for (int i = t; i < n; i += 64) sum += expf(x[i] - m);
    s[t] = sum;
    __syncthreads();
    for (int j = 32; j; j >>= 1) {
        if (t < j) s[t] += s[t + j];
        __syncthreads();
    }
    for (int i = t; i < n; i += 64) o[i] = expf(x[i] - m) / s[0];
}
