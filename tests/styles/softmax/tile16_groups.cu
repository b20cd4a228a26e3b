// Sixteen lanes for each row by tiled_partition, grid-stride over the rows.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
//! launch softmax<<<2, 64>>>(x, y, rows, cols)
__global__ void softmax(const float* x, float* y, int rows, int cols) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    for (int row = blockIdx.x * 4 + tile.meta_group_rank(); row < rows; row += gridDim.x * 4) {
        const float* from = x + (size_t)row * cols;
        float top = -3.4e38f, sum = 0;
        for (int j = tile.thread_rank(); j < cols; j += 16) top = fmaxf(top, from[j]);
        top = cg::reduce(tile, top, cg::greater<float>());
        for (int j = tile.thread_rank(); j < cols; j += 16) sum += expf(from[j] - top);
        sum = cg::reduce(tile, sum, cg::plus<float>());
        for (int j = tile.thread_rank(); j < cols; j += 16) y[(size_t)row * cols + j] = expf(from[j] - top) / sum;
    }
}
