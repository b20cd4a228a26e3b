// The last 32 partial sums in shared memory with __syncwarp.
__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    float v = 0;
    for (int i = t; i < n; i += 256) v += x[i];
    s[t] = v;
    __syncthreads();
    if (t < 128) s[t] = v += s[t + 128];
    __syncthreads();
    if (t < 64) s[t] = v += s[t + 64];
    __syncthreads();
    if (t < 32) {
        s[t] = v += s[t + 32];
        __syncwarp();
        for (int d = 16; d > 0; d /= 2) {
            float other = s[t ^ d];
            __syncwarp();
            s[t] = v += other;
            __syncwarp();
        }
        if (t == 0) *out = v;
    }
}
