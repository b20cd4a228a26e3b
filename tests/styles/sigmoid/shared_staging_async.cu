// cuda::memcpy_async of a whole block with a group, cooperative wait.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void sigmoid(const float* x, float* y, int n) {
    __shared__ float tile[256];
    auto block = cg::this_thread_block();
    int start = blockIdx.x * 256, count = min(256, n - start);
    cg::memcpy_async(block, tile, x + start, sizeof(float) * count);
    cg::wait(block);
    if (threadIdx.x < count) y[start + threadIdx.x] = 1.0f / (1.0f + expf(-tile[threadIdx.x]));
}
