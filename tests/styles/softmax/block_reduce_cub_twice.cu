// cub::BlockReduce with one TempStorage for two reductions.
#include <cub/block/block_reduce.cuh>
#include <cuda/std/functional>
struct Larger {
    __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};
__global__ void softmax(const float* x, float* y, int rows, int cols) {
    using Reduce = cub::BlockReduce<float, 256>;
    __shared__ typename Reduce::TempStorage temp;
    __shared__ float top, sum;
    const float* from = x + (size_t)blockIdx.x * cols;
    float v = -3.4e38f;
    for (int j = threadIdx.x; j < cols; j += 256) v = fmaxf(v, from[j]);
    v = Reduce(temp).Reduce(v, Larger{});
    if (threadIdx.x == 0) top = v;
    __syncthreads();
    v = 0;
    for (int j = threadIdx.x; j < cols; j += 256) v += expf(from[j] - top);
    v = Reduce(temp).Sum(v);
    if (threadIdx.x == 0) sum = v;
    __syncthreads();
    for (int j = threadIdx.x; j < cols; j += 256) y[(size_t)blockIdx.x * cols + j] = expf(from[j] - top) / sum;
}
