// cooperative_groups names the thread; the grid is never synchronised.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    cg::thread_block block = cg::this_thread_block();
    unsigned long long i = block.group_index().x * (unsigned long long)block.size() + block.thread_rank();
    if (i < n) c[i] = a[i] + b[i];
}
