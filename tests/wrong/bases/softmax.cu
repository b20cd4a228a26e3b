__global__ void softmax(const float* x, float* y, int rows, int cols) {
    __shared__ float s[256];
    int t = threadIdx.x;
    const float* in = x + blockIdx.x * cols;
    float top = -INFINITY;
    for (int j = t; j < cols; j += 256)
        top = fmaxf(top, in[j]);
    s[t] = top;
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (t < h)
            s[t] = fmaxf(s[t], s[t + h]);
        __syncthreads();
    }
    top = s[0];
    __syncthreads();
    float sum = 0.0f;
    for (int j = t; j < cols; j += 256)
        sum += expf(in[j] - top);
    s[t] = sum;
    __syncthreads();
    for (int k = 128; k > 0; k /= 2) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    sum = s[0];
    for (int j = t; j < cols; j += 256)
        y[blockIdx.x * cols + j] = expf(in[j] - top) / sum;
}
