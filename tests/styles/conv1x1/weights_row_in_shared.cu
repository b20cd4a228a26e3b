// The weights of one output channel in shared memory, filled chunk by chunk.
__global__ void conv1x1(const float* x, const float* w, const float* bias, float* y, int batch, int channels_in, int channels_out, int pixels) {
    __shared__ float row[32];
    int p = blockIdx.x * blockDim.x + threadIdx.x, o = blockIdx.y;
    float sum = bias[o];
    for (int c0 = 0; c0 < channels_in; c0 += 32) {
        __syncthreads();
        if (threadIdx.x < 32) row[threadIdx.x] = c0 + threadIdx.x < channels_in ? w[o * channels_in + c0 + threadIdx.x] : 0;
        __syncthreads();
        if (p < pixels)
            for (int c = 0; c < min(32, channels_in - c0); ++c) sum += row[c] * x[((size_t)blockIdx.z * channels_in + c0 + c) * pixels + p];
    }
    if (p < pixels) y[((size_t)blockIdx.z * channels_out + o) * pixels + p] = sum;
}
