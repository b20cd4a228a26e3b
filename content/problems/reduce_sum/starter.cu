// Sum of an array: out[0] = x[0] + ... + x[n - 1].
//
// Started as reduce_sum<<<1, 256>>>(x, out, n). Each thread already collects a partial sum of every 256th element
// and puts it where the others can see it. What is missing is the tree that joins the 256 partial sums.

__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ float partial[256];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        sum += x[i];
    }
    partial[threadIdx.x] = sum;
    __syncthreads();

    // fill in: add partial[128..255] to partial[0..127], then 64..127 to 0..63, and so on; who waits for whom?

    if (threadIdx.x == 0) {
        out[0] = partial[0];
    }
}
