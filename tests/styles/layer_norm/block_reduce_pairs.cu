// cub::BlockReduce over float2 with an operator of one's own, mean first.
#include <cub/block/block_reduce.cuh>
struct AddPairs {
    __device__ float2 operator()(const float2& a, const float2& b) const { return {a.x + b.x, a.y + b.y}; }
};
__global__ void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols) {
    using Reduce = cub::BlockReduce<float2, 256>;
    __shared__ typename Reduce::TempStorage temp;
    __shared__ float mean, scale;
    const float* from = x + (size_t)blockIdx.x * cols;
    float2 v = {0, 0};
    for (int j = threadIdx.x; j < cols; j += 256) v.x += from[j], v.y += 1;
    v = Reduce(temp).Reduce(v, AddPairs());
    if (threadIdx.x == 0) mean = v.x / v.y;
    __syncthreads();
    v = {0, 0};
    for (int j = threadIdx.x; j < cols; j += 256) v.x += (from[j] - mean) * (from[j] - mean);
    v = Reduce(temp).Reduce(v, AddPairs());
    if (threadIdx.x == 0) scale = rsqrtf(v.x / cols + 1e-5f);
    __syncthreads();
    for (int j = threadIdx.x; j < cols; j += 256) y[(size_t)blockIdx.x * cols + j] = (from[j] - mean) * scale * gamma[j] + beta[j];
}
