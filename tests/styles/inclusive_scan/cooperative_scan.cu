// cooperative_groups' own scan.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
//! launch inclusive_scan<<<1, 32>>>(x, y, n)
__global__ void inclusive_scan(const int* x, int* y, int n) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int carry = 0;
    for (int start = 0; start < n; start += 32) {
        int i = start + warp.thread_rank();
        int v = cg::inclusive_scan(warp, i < n ? x[i] : 0) + carry;
        if (i < n) y[i] = v;
        carry = warp.shfl(v, 31);
    }
}
