// verdict: wrong_answer
// Every block of the second launch adds up eight pieces, however many there are.

//! scratch partial float m*n*ceil_div(k, 128)
//! launch multiply_pieces<<<dim3(n, m, ceil_div(k, 128)), 32>>>(a, b, partial, m, n, k)
//! launch add_pieces<<<ceil_div(m*n, 256), 256>>>(partial, c, m*n, ceil_div(k, 128))

__global__ void multiply_pieces(const float* a, const float* b, float* partial, int m, int n, int k) {
    const float* left = a + (long long)blockIdx.y * k;
    const float* right = b + (long long)blockIdx.x * k;
    float sum = 0.0f;
    for (int p = blockIdx.z * 128 + threadIdx.x; p < k && p < (blockIdx.z + 1) * 128; p += 32) sum += left[p] * right[p];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0) partial[(blockIdx.z * m + blockIdx.y) * n + blockIdx.x] = sum;
}

__global__ void add_pieces(const float* partial, float* c, int elements, int pieces) {
    int e = blockIdx.x * 256 + threadIdx.x;
    if (e >= elements) return;
    float sum = 0.0f;
    for (int s = 0; s < min(pieces, 8); ++s) sum += partial[s * elements + e];
    c[e] = sum;
}
