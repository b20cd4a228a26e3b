// verdict: race
// Without a barrier in the loop a thread may add a neighbour's old value: warps of one block run at their own
// speed. Right on small blocks by luck, wrong now and then on large ones.

__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ float partial[256];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        sum += x[i];
    }
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0) {
        out[0] = partial[0];
    }
}
