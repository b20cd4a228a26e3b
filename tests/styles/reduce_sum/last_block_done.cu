//! scratch parts float 16
//! scratch done unsigned 1 zero
//! launch reduce_sum<<<16, 128>>>(x, out, parts, done, n)
// The block that finishes last adds up the sums of all.
__global__ void reduce_sum(const float* x, float* out, volatile float* parts, unsigned* done, int n) {
    __shared__ float s[128];
    __shared__ bool last;
    float sum = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 16 * 128) sum += x[i];
    s[threadIdx.x] = sum;
    for (int h = 64; h > 0; h /= 2) {
        __syncthreads();
        if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        float all = 0;
        for (int b = 0; b < gridDim.x; ++b) all += parts[b];
        *out = all;
    }
}
