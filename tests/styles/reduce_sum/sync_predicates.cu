// Barriers that vote: the loop ends when no thread has an element left.
__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ float s[256];
    s[threadIdx.x] = 0;
    int i = threadIdx.x;
    while (__syncthreads_or(i < n)) {
        if (i < n) s[threadIdx.x] += x[i];
        i += blockDim.x;
    }
    for (int h = 128; h > 0; h >>= 1) {
        if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
        if (!__syncthreads_and(1)) return;
    }
    if (threadIdx.x == 0) *out = s[0];
}
