//! launch clear<<<ceil_div(m*n, 256), 256>>>(c, m*n)
//! launch part<<<dim3(ceil_div(n, 16), ceil_div(m, 16), 3), dim3(16, 16)>>>(a, b, c, m, n, k)
// The inner dimension split over three blocks, which add atomically.
__global__ void clear(float* c, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) c[i] = 0;
}
__global__ void part(const float* a, const float* b, float* c, int m, int n, int k) {
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y, each = (k + 2) / 3;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int p = blockIdx.z * each; p < min(k, (int)(blockIdx.z + 1) * each); ++p) sum += a[row * k + p] * b[p * n + col];
    atomicAdd(c + row * n + col, sum);
}
