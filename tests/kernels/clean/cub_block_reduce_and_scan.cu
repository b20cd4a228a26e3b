// expect: clean
// compare: exact
// buffer x: i32 128 integers 0 99 const
// buffer o: i32 129 uninitialized
//! launch k<<<1, 128>>>(x, o)
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
extern "C" __global__ void k(const int* x, int* o) {
    using Reduce = cub::BlockReduce<int, 128>;
    using Scan = cub::BlockScan<int, 128>;
    __shared__ union { Reduce::TempStorage r; Scan::TempStorage s; } temp;
    int v = x[threadIdx.x], before;
    int sum = Reduce(temp.r).Sum(v);
    __syncthreads();
    Scan(temp.s).ExclusiveSum(v, before);
    o[threadIdx.x] = before;
    if (threadIdx.x == 0) o[128] = sum;
}
