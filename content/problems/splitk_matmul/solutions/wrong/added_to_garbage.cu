// verdict: uninitialized
// The pieces are added with atomics, as they should be, to a c that nobody cleared.

//! launch splitk_matmul<<<dim3(n, m, ceil_div(k, 256)), 128>>>(a, b, c, m, n, k)

__global__ void splitk_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    const float* left = a + (long long)blockIdx.y * k;
    const float* right = b + (long long)blockIdx.x * k;
    float sum = 0.0f;
    for (int p = blockIdx.z * 256 + threadIdx.x; p < k && p < (blockIdx.z + 1) * 256; p += 128) sum += left[p] * right[p];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 == 0) atomicAdd(&c[blockIdx.y * n + blockIdx.x], sum);
}
