// expect: missing-barrier
// buffer a: f32 1024 uniform const
// buffer b: f32 1024 uniform const
// buffer o: f32 1024 uninitialized
//! launch k<<<dim3(2,2), dim3(16,16)>>>(a, b, o, 32)
extern "C" __global__ void k(const float* a, const float* b, float* o, int n) {
    __shared__ float s[16][16], t[16][16];
    int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int m = 0; m < n; m += 16) {
        s[threadIdx.y][threadIdx.x] = a[r * n + m + threadIdx.x];  // BUG
        t[threadIdx.y][threadIdx.x] = b[(m + threadIdx.y) * n + c];  // BUG
        __syncthreads();
        for (int j = 0; j < 16; j++) sum += s[threadIdx.y][j] * t[j][threadIdx.x];
    }
    o[r * n + c] = sum;
}
