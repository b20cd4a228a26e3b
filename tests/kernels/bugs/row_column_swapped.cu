// expect: out-of-bounds
// buffer x: f32 600 uniform const
// buffer o: f32 600 uninitialized
//! launch k<<<dim3(2,2), dim3(16,16)>>>(x, o, 20, 30)
extern "C" __global__ void k(const float* x, float* o, int rows, int columns) {
    int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    if (r < rows && c < columns)
        o[r * columns + c] = x[c * columns + r];  // BUG
}
