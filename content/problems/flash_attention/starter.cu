// Attention without the matrix of scores: o[i] = sum over j of softmax(q[i] k[j] / sqrt(32)) v[j], for each head by itself.
//
// Started as flash_attention<<<dim3(ceil_div(n, 64), heads), 64>>>(q, k, v, o, heads, n), one thread for each query. The scores are
// there; as it stands every key has the same share.

__global__ void flash_attention(const float* q, const float* k, const float* v, float* o, int heads, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    long long head = blockIdx.y * (long long)n * 32;
    float sum[32], total = 0.0f;
    for (int c = 0; c < 32; ++c) sum[c] = 0.0f;
    for (int j = 0; j < n; ++j) {
        float score = 0.0f;
        for (int c = 0; c < 32; ++c) score += q[head + i * 32LL + c] * k[head + j * 32LL + c];
        score *= 0.17677669529663689f;  // 1 / sqrt(32)
        // fill in: share = exp(score - top), with top the largest score so far; when a larger one comes, first
        // multiply total and sum by exp(old top - new top)
        float share = score * 0.0f + 1.0f;
        total += share;
        for (int c = 0; c < 32; ++c) sum[c] += share * v[head + j * 32LL + c];
    }
    for (int c = 0; c < 32; ++c) o[head + i * 32LL + c] = sum[c] / total;
}
