// expect: clean
// compare: exact
// buffer x: f32 800 uniform const
// buffer o: f32 800 uninitialized
//! launch k<<<dim3(2,2), dim3(32,8)>>>(x, o, 40, 20)
extern "C" __global__ void k(const float* x, float* o, int w, int h) {
    __shared__ float tile[32][33];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (c < w && r + j < h) tile[threadIdx.y + j][threadIdx.x] = x[(r + j) * w + c];
    __syncthreads();
    c = blockIdx.y * 32 + threadIdx.x;
    r = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (c < h && r + j < w) o[(r + j) * h + c] = tile[threadIdx.x][threadIdx.y + j];
}
