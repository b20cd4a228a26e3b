// verdict: race
// The tree reads what other warps wrote, without waiting for them.

__global__ void splitk_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float partial[128];
    const float* left = a + (long long)blockIdx.y * k;
    const float* right = b + (long long)blockIdx.x * k;
    float sum = 0.0f;
    for (long long p = threadIdx.x; p < k; p += 128) sum += left[p] * right[p];
    partial[threadIdx.x] = sum;
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    }
    if (threadIdx.x == 0) c[blockIdx.y * n + blockIdx.x] = partial[0];
}
