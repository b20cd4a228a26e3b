// verdict: wrong_answer
// Each thread takes one element, so a single block adds the first 256 elements and forgets the rest.

__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ float partial[256];
    partial[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : 0.0f;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0) {
        out[0] = partial[0];
    }
}
