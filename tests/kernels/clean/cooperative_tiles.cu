// expect: clean
// compare: exact
// buffer x: i32 256 integers 0 99 const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(const int* x, int* o) {
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int v = x[block.thread_rank()];
    v = cg::reduce(tile, v, cg::plus<int>()) + tile.shfl(v, 3) + tile.any(v > 90);
    block.sync();
    o[block.thread_rank()] = v;
}
