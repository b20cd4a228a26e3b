// expect: clean
// compare: exact
// buffer a: f32 1024 uniform const
// buffer b: f32 1024 uniform const
// buffer o: f32 1024 uninitialized
//! launch k<<<dim3(2,2), dim3(16,16)>>>(a, b, o, 32)
extern "C" __global__ void k(const float* a, const float* b, float* o, int n) {
    __shared__ float s[2][16][16], t[2][16][16];
    int y = threadIdx.y, x = threadIdx.x, r = blockIdx.y * 16 + y, c = blockIdx.x * 16 + x;
    float sum = 0;
    s[0][y][x] = a[r * n + x];
    t[0][y][x] = b[y * n + c];
    __syncthreads();
    for (int q = 0; q < n / 16; q++) {
        int now = q & 1, next = now ^ 1;
        if (q + 1 < n / 16) {
            s[next][y][x] = a[r * n + (q + 1) * 16 + x];
            t[next][y][x] = b[((q + 1) * 16 + y) * n + c];
        }
        for (int j = 0; j < 16; j++) sum += s[now][y][j] * t[now][j][x];
        __syncthreads();
    }
    o[r * n + c] = sum;
}
