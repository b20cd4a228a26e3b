// verdict: wrong_answer
// The second place is taken for a distance from the first; both count from the beginning of the four.

#include <cuda_fp16.h>

__global__ void sparse24_matmul(const half* values, const unsigned* places, const half* b, float* c, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    const half* kept = values + (long long)row * (k / 2);
    const half* right = b + (long long)col * k;
    float sum = 0.0f;
    for (int word = 0; word < k / 32; ++word) {
        unsigned bits = places[(long long)row * (k / 32) + word];
        for (int q = 0, before = 0; q < 16; ++q, before = bits, bits >>= 2) {
            const int column = word * 32 + q / 2 * 4 + ((bits & 3) + (q % 2 == 1 ? before & 3 : 0)) % 4;
            sum += __half2float(kept[word * 16 + q]) * __half2float(right[column]);
        }
    }
    c[(long long)row * n + col] = sum;
}
