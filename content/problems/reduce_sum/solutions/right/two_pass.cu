// Many blocks, two launches.
//
// Idea: each block reduces its share to one number in scratch memory; a second launch reduces those numbers.
// Cost: 4 bytes per element at the bandwidth of the whole card, plus 4 KB of partial sums and one more launch
// (about 3 microseconds).
// Why two launches: blocks of one grid cannot wait for each other, but the next launch starts only after all
// writes of this one are visible.

//! scratch partial float 1056
//! launch reduce_sum<<<min(ceil_div(n, 256), 1056), 256>>>(x, partial, n)
//! launch reduce_sum<<<1, 256>>>(partial, out, min(ceil_div(n, 256), 1056))

__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ float partial[256];
    float sum = 0.0f;
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        sum += x[i];
    }
    partial[threadIdx.x] = sum;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = partial[0];
    }
}
