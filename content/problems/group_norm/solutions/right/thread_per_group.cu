// One thread, one group, three passes.
//
// Idea: the definition; a group is one piece of memory, channel after channel.
// Cost: every load of a warp touches 32 groups, so 32 sectors for 128 useful bytes, three times; few threads in all.
// Why the mean is subtracted before squaring: mean of squares minus square of mean loses everything where the mean is large.

//! launch group_norm<<<ceil_div(batch*groups, 32), 32>>>(x, gamma, beta, y, batch, groups, per_group, pixels)

__global__ void group_norm(const float* x, const float* gamma, const float* beta, float* y, int batch, int groups,
                           int per_group, int pixels) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= batch * groups) return;
    const int length = per_group * pixels;
    const float* from = x + (long long)at * length;
    float* to = y + (long long)at * length;
    float sum = 0.0f, squares = 0.0f;
    for (int i = 0; i < length; ++i) sum += from[i];
    const float mean = sum / length;
    for (int i = 0; i < length; ++i) squares += (from[i] - mean) * (from[i] - mean);
    const float inverse = rsqrtf(squares / length + 1e-5f);
    for (int c = 0; c < per_group; ++c) {
        const int channel = at % groups * per_group + c;
        for (int p = 0; p < pixels; ++p) {
            const int i = c * pixels + p;
            to[i] = (from[i] - mean) * inverse * gamma[channel] + beta[channel];
        }
    }
}
