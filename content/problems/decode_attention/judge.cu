// Expected values of decode_attention in double: a score for each token, then softmax and mix for each number of a head.
//! scratch scores double batch*heads*16*max_pages
//! scratch sizes double batch*heads*16*max_pages
//! launch score_tokens<<<dim3(ceil_div(16*max_pages, 256), heads, batch), 256>>>(q, keys, table, length, scores, sizes, heads, max_pages)
//! launch mix_tokens<<<dim3(heads, batch), 64>>>(values, table, length, scores, sizes, expected_out, magnitude_out, heads, max_pages)

#include <cuda_fp16.h>

__device__ long long place(const int* table, int sequence, int head, int token, int heads, int max_pages) {
    const long long page = table[(long long)sequence * max_pages + token / 16];
    return ((page * 16 + token % 16) * heads + head) * 64;
}

__global__ void score_tokens(const half* q, const half* keys, const int* table, const int* length, double* scores,
                             double* sizes, int heads, int max_pages) {
    const int token = blockIdx.x * 256 + threadIdx.x, head = blockIdx.y, sequence = blockIdx.z;
    if (token >= length[sequence]) return;
    const long long row = (long long)sequence * heads + head;
    const half* key = keys + place(table, sequence, head, token, heads, max_pages);
    double score = 0.0, size = 0.0;
    for (int d = 0; d < 64; ++d) {
        const double term = double(__half2float(q[row * 64 + d])) * double(__half2float(key[d]));
        score += term;
        size += fabs(term);
    }
    scores[row * 16 * max_pages + token] = score / 8.0;
    sizes[row * 16 * max_pages + token] = size / 8.0;
}

__global__ void mix_tokens(const half* values, const int* table, const int* length, const double* scores,
                           const double* sizes, double* expected, double* magnitude, int heads, int max_pages) {
    const int head = blockIdx.x, sequence = blockIdx.y, tokens = length[sequence];
    const long long row = (long long)sequence * heads + head;
    const double *score = scores + row * 16 * max_pages, *size = sizes + row * 16 * max_pages;
    double top = score[0], sum = 0.0, doubt = 0.0, mixed = 0.0, plain = 0.0, doubtful = 0.0;
    for (int t = 1; t < tokens; ++t) top = fmax(top, score[t]);
    for (int t = 0; t < tokens; ++t) {
        const double weight = exp(score[t] - top);
        const double value = __half2float(values[place(table, sequence, head, t, heads, max_pages) + threadIdx.x]);
        sum += weight;
        doubt += weight * size[t];
        mixed += weight * value;
        plain += weight * fabs(value);
        doubtful += weight * size[t] * fabs(value);
    }
    expected[row * 64 + threadIdx.x] = mixed / sum;
    magnitude[row * 64 + threadIdx.x] = (plain + doubtful + plain * (doubt / sum)) / sum;
}

// Every page once, in scattered order: the number of pages is a power of two, and the factor is odd.
__global__ void fill_table(int* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        data[i] = int((i * 0x9E3779B1ull + seed) % elements);
    }
}

// 262144 tokens for all sequences together, and each ends seven tokens before its last page does.
__global__ void fill_length(int* data, unsigned long long elements, unsigned long long seed) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements) data[i] = int(262144 / elements) - 7;
}
