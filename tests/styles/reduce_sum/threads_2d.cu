//! launch reduce_sum<<<1, dim3(16, 16)>>>(x, out, n)
// Two-dimensional block and a two-dimensional shared array, rows first and then the column.
__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ float s[16][17];
    float v = 0;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < n; i += 256) v += x[i];
    s[threadIdx.y][threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 1; k < 16; ++k) s[threadIdx.y][0] += s[threadIdx.y][k];
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        for (int k = 1; k < 16; ++k) s[0][0] += s[k][0];
        *out = s[0][0];
    }
}
