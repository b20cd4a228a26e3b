// expect: out-of-bounds
// buffer x: f32 512 uniform const
// buffer o: f32 512 uninitialized
//! launch k<<<1, dim3(32,16)>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    __shared__ float tile[16][32];
    int c = threadIdx.x, r = threadIdx.y;
    tile[c][r] = x[r * 32 + c];  // BUG
    __syncthreads();
    o[c * 16 + r] = 0;
}
