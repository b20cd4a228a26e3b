// One thread, one element, one product at a time.
//
// Idea: the definition; a product of two bytes is an int in C as soon as it is written down.
// Cost: two loads of a byte for each multiply-add, along 16 different rows of b at a time.
// Why the sum is an int: 127 * 127 fits 16 bits, three of them do not.

__global__ void int8_gemm(const signed char* a, const signed char* b, int* c, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    int sum = 0;
    for (int p = 0; p < k; ++p) sum += a[(long long)row * k + p] * b[(long long)col * k + p];
    c[(long long)row * n + col] = sum;
}
