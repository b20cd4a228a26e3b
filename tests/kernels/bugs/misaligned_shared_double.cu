// expect: misaligned
// buffer o: f64 64 uninitialized
//! launch k<<<1, 64>>>(o)
extern "C" __global__ void k(double* o) {
    __shared__ float s[256];
    int i = threadIdx.x;
    for (int j = i; j < 256; j += 64) s[j] = j;
    __syncthreads();
    o[i] = *reinterpret_cast<double*>(&s[i + 1]);  // BUG
}
