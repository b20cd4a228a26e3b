// expect: clean
// compare: exact
// buffer a: f32 600 uniform const
// buffer b: f32 750 uniform const
// buffer o: f32 500 uninitialized
//! launch k<<<dim3(2,2), dim3(16,16)>>>(a, b, o, 20, 25, 30)
extern "C" __global__ void k(const float* a, const float* b, float* o, int m, int n, int p) {
    int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
    if (r >= m || c >= n) return;
    float s = 0;
    for (int j = 0; j < p; j++) s += a[r * p + j] * b[j * n + c];
    o[r * n + c] = s;
}
