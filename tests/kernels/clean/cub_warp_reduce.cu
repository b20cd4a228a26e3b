// expect: clean
// compare: exact
// buffer x: f32 128 integers 0 9 const
// buffer o: f32 4 uninitialized
//! launch k<<<1, 128>>>(x, o)
#include <cub/warp/warp_reduce.cuh>
extern "C" __global__ void k(const float* x, float* o) {
    using Reduce = cub::WarpReduce<float>;
    __shared__ Reduce::TempStorage temp[4];
    int w = threadIdx.x / 32;
    float sum = Reduce(temp[w]).Sum(x[threadIdx.x]);
    if (threadIdx.x % 32 == 0) o[w] = sum;
}
