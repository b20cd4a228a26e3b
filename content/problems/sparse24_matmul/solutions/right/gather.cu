// One thread, one element, the kept numbers alone.
//
// Idea: a word of places has the columns of 16 kept numbers, two bits each; b is read where they say.
// Cost: half the multiply-adds of a full product, each with two loads, two conversions and the arithmetic for its column.
// Why a word at a time: it is loaded once for 16 numbers, and shifting it by two bits leads to the next.

#include <cuda_fp16.h>

__global__ void sparse24_matmul(const half* values, const unsigned* places, const half* b, float* c, int m, int n, int k) {
    const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || col >= n) return;
    const half* kept = values + (long long)row * (k / 2);
    const half* right = b + (long long)col * k;
    float sum = 0.0f;
    for (int word = 0; word < k / 32; ++word) {
        unsigned bits = places[(long long)row * (k / 32) + word];
        for (int q = 0; q < 16; ++q, bits >>= 2) {
            const int column = word * 32 + q / 2 * 4 + (bits & 3);
            sum += __half2float(kept[word * 16 + q]) * __half2float(right[column]);
        }
    }
    c[(long long)row * n + col] = sum;
}
