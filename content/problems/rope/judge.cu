// Expected values of rope in double: one thread for each pair.
//! launch expect_turned<<<ceil_div(tokens*heads*pairs, 256), 256>>>(x, cosines, sines, position, expected_x, magnitude_x, tokens, heads, pairs)

#include <cuda_fp16.h>

__global__ void expect_turned(const half* x, const float* cosines, const float* sines, const int* position,
                              double* expected, double* magnitude, int tokens, int heads, int pairs) {
    const long long at = blockIdx.x * 256LL + threadIdx.x;
    if (at >= (long long)tokens * heads * pairs) return;
    const long long row = at / pairs, p = at % pairs;
    const long long i = row * 2 * pairs + p, k = i + pairs;
    const long long angle = (long long)position[row / heads] * pairs + p;
    const double first = __half2float(x[i]), second = __half2float(x[k]), c = cosines[angle], s = sines[angle];
    expected[i] = first * c - second * s;
    expected[k] = second * c + first * s;
    magnitude[i] = fabs(first * c) + fabs(second * s);
    magnitude[k] = fabs(second * c) + fabs(first * s);
}
