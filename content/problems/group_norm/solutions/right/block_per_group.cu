// A block for each group, three passes side by side.
//
// Idea: neighbours read neighbours; partial sums meet in shared memory.
// Cost: 16 bytes per element, of which the second and third reading may come from L2; 20 barriers for a group.
// Why the channel costs a division: i / pixels, once for each element of the last pass.

__device__ float block_sum(float value) {
    __shared__ float values[256];
    __syncthreads();  // all have read the sum before this one
    values[threadIdx.x] = value;
    for (int active = blockDim.x / 2; active > 0; active /= 2) {
        __syncthreads();
        if (threadIdx.x < active) values[threadIdx.x] += values[threadIdx.x + active];
    }
    __syncthreads();
    return values[0];
}

__global__ void group_norm(const float* x, const float* gamma, const float* beta, float* y, int batch, int groups,
                           int per_group, int pixels) {
    const int length = per_group * pixels;
    const long long start = (blockIdx.y * (long long)groups + blockIdx.x) * length;
    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x; i < length; i += blockDim.x) sum += x[start + i];
    const float mean = block_sum(sum) / length;
    for (int i = threadIdx.x; i < length; i += blockDim.x) {
        const float away = x[start + i] - mean;
        squares += away * away;
    }
    const float inverse = rsqrtf(block_sum(squares) / length + 1e-5f);
    for (int i = threadIdx.x; i < length; i += blockDim.x) {
        const int channel = blockIdx.x * per_group + i / pixels;
        y[start + i] = (x[start + i] - mean) * inverse * gamma[channel] + beta[channel];
    }
}
