// Lanes of a branch form a coalesced group and draw their places together.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void histogram(const int* x, int* counts, int n) {
    __shared__ int bins[256];
    for (int v = threadIdx.x; v < 256; v += blockDim.x) bins[v] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        if (x[i] == 0) {
            cg::coalesced_group zeros = cg::coalesced_threads();
            if (zeros.thread_rank() == 0) atomicAdd(bins, (int)zeros.size());
        } else {
            atomicAdd(bins + x[i], 1);
        }
    }
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += blockDim.x) counts[v] = bins[v];
}
