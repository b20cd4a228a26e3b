// expect: clean
// compare: exact
// buffer a: f32 600 uniform const
// buffer b: f32 750 uniform const
// buffer o: f32 500 uninitialized
//! launch k<<<dim3(2,2), dim3(16,16)>>>(a, b, o, 20, 25, 30)
extern "C" __global__ void k(const float* a, const float* b, float* o, int m, int n, int p) {
    __shared__ float s[16][16], t[16][17];
    int y = threadIdx.y, x = threadIdx.x, r = blockIdx.y * 16 + y, c = blockIdx.x * 16 + x;
    float sum = 0;
    for (int q = 0; q < p; q += 16) {
        s[y][x] = r < m && q + x < p ? a[r * p + q + x] : 0;
        t[y][x] = q + y < p && c < n ? b[(q + y) * n + c] : 0;
        __syncthreads();
        for (int j = 0; j < 16; j++) sum += s[y][j] * t[j][x];
        __syncthreads();
    }
    if (r < m && c < n) o[r * n + c] = sum;
}
