// verdict: wrong_answer
// Eight pieces of k / 8 columns, rounded down: up to seven columns at the end belong to nobody.

//! launch clear<<<ceil_div(m*n, 256), 256>>>(c, m*n)
//! launch splitk_matmul<<<dim3(n, m, 8), 32>>>(a, b, c, m, n, k)

__global__ void clear(float* c, int elements) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < elements) c[i] = 0.0f;
}

__global__ void splitk_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    const float* left = a + (long long)blockIdx.y * k;
    const float* right = b + (long long)blockIdx.x * k;
    const int piece = k / 8, begin = blockIdx.z * piece;
    float sum = 0.0f;
    for (int p = begin + threadIdx.x; p < begin + piece; p += 32) sum += left[p] * right[p];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0) atomicAdd(&c[blockIdx.y * n + blockIdx.x], sum);
}
