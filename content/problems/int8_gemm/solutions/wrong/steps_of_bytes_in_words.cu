// verdict: memory_error
// The pointer counts words, and the rows are still taken to have k of them: four times too far.

__global__ void int8_gemm(const signed char* a, const signed char* b, int* c, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    int sum = 0;
    const int *left = reinterpret_cast<const int*>(a), *right = reinterpret_cast<const int*>(b);
    for (int p = 0; p < k / 4; ++p) sum = __dp4a(left[(long long)row * k + p], right[(long long)col * k + p], sum);
    c[(long long)row * n + col] = sum;
}
