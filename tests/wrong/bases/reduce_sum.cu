__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = t; i < n; i += 256)
        sum += x[i];
    s[t] = sum;
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (t < h)
            s[t] += s[t + h];
        __syncthreads();
    }
    if (t == 0)
        out[0] = s[0];
}
