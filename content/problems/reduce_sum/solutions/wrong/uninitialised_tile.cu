// verdict: uninitialized
// Threads without an element leave their slot of the tile unset, and the tree adds it all the same. On a fresh
// card shared memory is often zero, so it passes until another kernel ran before.

__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ float partial[256];
    if (threadIdx.x < n) {
        float sum = 0.0f;
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            sum += x[i];
        }
        partial[threadIdx.x] = sum;
    }
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        out[0] = partial[0];
    }
}
