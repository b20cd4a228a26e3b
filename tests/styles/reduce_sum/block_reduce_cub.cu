// cub::BlockReduce.
#include <cub/block/block_reduce.cuh>
__global__ void reduce_sum(const float* x, float* out, int n) {
    using Reduce = cub::BlockReduce<float, 256>;
    __shared__ typename Reduce::TempStorage temp;
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
    sum = Reduce(temp).Sum(sum);
    if (threadIdx.x == 0) *out = sum;
}
