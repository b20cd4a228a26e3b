// expect: clean
// compare: exact
// buffer x: f32 256 positive const
// buffer o: f32 64 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    float m[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) m[i][j] = x[(threadIdx.x + i * 4 + j) & 255];
    int p = threadIdx.x & 3;
    for (int j = 0; j < 4; j++) m[p][j] += m[(p + 1) & 3][j] * 2;
    o[threadIdx.x] = m[p][0] + m[p][1] * m[p][2] - m[p][3];
}
