//! scratch parts float 32
//! launch sum_of<256><<<32, 256>>>(x, parts, n)
//! launch sum_of<32><<<1, 32>>>(parts, out, 32)
// The same template twice: over the input, then over the blocks' sums.
template <int kBlock>
__global__ void sum_of(const float* x, float* out, int n) {
    __shared__ float s[kBlock];
    float v = 0;
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += kBlock * gridDim.x) v += x[i];
    s[threadIdx.x] = v;
    __syncthreads();
#pragma unroll
    for (int h = kBlock / 2; h > 0; h /= 2) {
        if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
