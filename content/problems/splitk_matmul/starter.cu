// A tall product: c[i, j] = sum over p of a[i, p] * b[j, p], with few rows and a very long k.
//
// Started as splitk_matmul<<<dim3(n, m), 128>>>(a, b, c, m, n, k), one block for each result. The loop along k is there; the
// partial sums of the 128 threads still have to be joined.

__global__ void splitk_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float partial[128];
    const float* left = a + (long long)blockIdx.y * k;
    const float* right = b + (long long)blockIdx.x * k;
    float sum = 0.0f;
    for (long long p = threadIdx.x; p < k; p += 128) sum += left[p] * right[p];
    partial[threadIdx.x] = sum;
    __syncthreads();

    // fill in: join partial[0 .. 127]

    if (threadIdx.x == 0) c[blockIdx.y * n + blockIdx.x] = partial[0];
}
