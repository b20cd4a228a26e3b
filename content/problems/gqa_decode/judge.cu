// Expected values of gqa_decode in double: a score for each query and token, then softmax and mix for each number of a head.
//! scratch scores double batch*kv_heads*group*n
//! scratch sizes double batch*kv_heads*group*n
//! launch score_tokens<<<dim3(ceil_div(n, 256), group, batch*kv_heads), 256>>>(q, keys, scores, sizes, group, n)
//! launch mix_tokens<<<dim3(group, batch*kv_heads), 1024>>>(values, scores, sizes, expected_out, magnitude_out, group, n)

#include <cuda_fp16.h>

__global__ void score_tokens(const half* q, const half* keys, double* scores, double* sizes, int group, int n) {
    const int token = blockIdx.x * 256 + threadIdx.x;
    if (token >= n) return;
    const long long query = blockIdx.z * (long long)group + blockIdx.y, key = (blockIdx.z * (long long)n + token) * 64;
    double score = 0.0, size = 0.0;
    for (int d = 0; d < 64; ++d) {
        const double term = double(__half2float(q[query * 64 + d])) * double(__half2float(keys[key + d]));
        score += term;
        size += fabs(term);
    }
    scores[query * n + token] = score / 8.0;
    sizes[query * n + token] = size / 8.0;
}

// 16 threads for each of the 64 numbers; each takes every sixteenth token, and one adds up what they have.
__global__ void mix_tokens(const half* values, const double* scores, const double* sizes, double* expected,
                           double* magnitude, int group, int n) {
    __shared__ double tops[1024], parts[5][1024];
    const int d = threadIdx.x % 64, part = threadIdx.x / 64;
    const long long query = blockIdx.y * (long long)group + blockIdx.x;
    const double *score = scores + query * n, *size = sizes + query * n;
    double top = score[0];
    for (int t = threadIdx.x; t < n; t += 1024) top = fmax(top, score[t]);
    tops[threadIdx.x] = top;
    __syncthreads();
    for (int t = 0; t < 1024; ++t) top = fmax(top, tops[t]);
    double sum = 0.0, doubt = 0.0, mixed = 0.0, plain = 0.0, doubtful = 0.0;
    for (int t = part; t < n; t += 16) {
        const double weight = exp(score[t] - top);
        const double value = __half2float(values[(blockIdx.y * (long long)n + t) * 64 + d]);
        sum += weight;
        doubt += weight * size[t];
        mixed += weight * value;
        plain += weight * fabs(value);
        doubtful += weight * size[t] * fabs(value);
    }
    parts[0][threadIdx.x] = sum;
    parts[1][threadIdx.x] = doubt;
    parts[2][threadIdx.x] = mixed;
    parts[3][threadIdx.x] = plain;
    parts[4][threadIdx.x] = doubtful;
    __syncthreads();
    if (part > 0) return;
    for (int other = 1; other < 16; ++other) {
        sum += parts[0][other * 64 + d];
        doubt += parts[1][other * 64 + d];
        mixed += parts[2][other * 64 + d];
        plain += parts[3][other * 64 + d];
        doubtful += parts[4][other * 64 + d];
    }
    expected[query * 64 + d] = mixed / sum;
    magnitude[query * 64 + d] = (plain + doubtful + plain * (doubt / sum)) / sum;
}
