// verdict: wrong_answer
// Mean and variance of each channel by itself: that is instance normalisation, and the same only where a group has one channel.

//! launch group_norm<<<ceil_div(batch*groups*per_group, 32), 32>>>(x, gamma, beta, y, batch, groups, per_group, pixels)

__global__ void group_norm(const float* x, const float* gamma, const float* beta, float* y, int batch, int groups,
                           int per_group, int pixels) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= batch * groups * per_group) return;
    const int channel = at % (groups * per_group);
    const float* from = x + (long long)at * pixels;
    float* to = y + (long long)at * pixels;
    float sum = 0.0f, squares = 0.0f;
    for (int i = 0; i < pixels; ++i) sum += from[i];
    const float mean = sum / pixels;
    for (int i = 0; i < pixels; ++i) squares += (from[i] - mean) * (from[i] - mean);
    const float inverse = rsqrtf(squares / pixels + 1e-5f);
    for (int i = 0; i < pixels; ++i) to[i] = (from[i] - mean) * inverse * gamma[channel] + beta[channel];
}
