// verdict: race
// The blocks of one element add to it with +=: each reads the old sum, and most additions are lost.

//! launch clear<<<ceil_div(m*n, 256), 256>>>(c, m*n)
//! launch splitk_matmul<<<dim3(n, m, ceil_div(k, 256)), 32>>>(a, b, c, m, n, k)

__global__ void clear(float* c, int elements) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < elements) c[i] = 0.0f;
}

__global__ void splitk_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    const float* left = a + (long long)blockIdx.y * k;
    const float* right = b + (long long)blockIdx.x * k;
    float sum = 0.0f;
    for (int p = blockIdx.z * 256 + threadIdx.x; p < k && p < (blockIdx.z + 1) * 256; p += 32) sum += left[p] * right[p];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0) c[blockIdx.y * n + blockIdx.x] += sum;
}
