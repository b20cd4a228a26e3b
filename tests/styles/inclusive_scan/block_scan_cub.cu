// cub::BlockScan with a prefix functor that keeps state.
#include <cub/block/block_scan.cuh>
struct Carry {
    int total;
    __device__ int operator()(int aggregate) {
        int before = total;
        total += aggregate;
        return before;
    }
};
__global__ void inclusive_scan(const int* x, int* y, int n) {
    using Scan = cub::BlockScan<int, 256>;
    __shared__ typename Scan::TempStorage temp;
    Carry carry{0};
    for (int start = 0; start < n; start += 256) {
        int i = start + threadIdx.x, v = i < n ? x[i] : 0;
        Scan(temp).InclusiveSum(v, v, carry);
        __syncthreads();
        if (i < n) y[i] = v;
    }
}
