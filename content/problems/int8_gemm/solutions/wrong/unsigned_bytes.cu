// verdict: wrong_answer
// __dp4a of unsigned words takes the bytes from 0 to 255: -1 counts as 255.

__global__ void int8_gemm(const signed char* a, const signed char* b, int* c, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    unsigned sum = 0;
    const unsigned* left = reinterpret_cast<const unsigned*>(a + (long long)row * k);
    const unsigned* right = reinterpret_cast<const unsigned*>(b + (long long)col * k);
    for (int p = 0; p < k / 4; ++p) sum = __dp4a(left[p], right[p], sum);
    c[(long long)row * n + col] = int(sum);
}
