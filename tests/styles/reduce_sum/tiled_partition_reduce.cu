// cooperative_groups::reduce over tiles of 32, then over the tiles.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ float parts[8];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    float sum = 0;
    for (int i = block.thread_rank(); i < n; i += block.size()) sum += x[i];
    sum = cg::reduce(tile, sum, cg::plus<float>());
    if (tile.thread_rank() == 0) parts[tile.meta_group_rank()] = sum;
    block.sync();
    if (tile.meta_group_rank() == 0) {
        sum = cg::reduce(tile, tile.thread_rank() < tile.meta_group_size() ? parts[tile.thread_rank()] : 0.0f, cg::plus<float>());
        if (tile.thread_rank() == 0) *out = sum;
    }
}
