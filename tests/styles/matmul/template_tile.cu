//! launch multiply<16><<<dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16)>>>(a, b, c, m, n, k)
// Square tiles whose side is a template argument.
template <int kSide>
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float u[kSide][kSide], v[kSide][kSide + 1];
    int row = blockIdx.y * kSide + threadIdx.y, col = blockIdx.x * kSide + threadIdx.x;
    float sum = 0;
    for (int p = 0; p < k; p += kSide) {
        u[threadIdx.y][threadIdx.x] = row < m && p + threadIdx.x < k ? a[row * k + p + threadIdx.x] : 0.0f;
        v[threadIdx.y][threadIdx.x] = p + threadIdx.y < k && col < n ? b[(p + threadIdx.y) * n + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int q = 0; q < kSide; ++q) sum = fmaf(u[threadIdx.y][q], v[q][threadIdx.x], sum);
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
