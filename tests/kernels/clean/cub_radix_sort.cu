// expect: clean
// compare: exact
// buffer x: i32 512 bits
// buffer o: i32 512 uninitialized
//! launch k<<<1, 128>>>(x, o)
#include <cub/block/block_radix_sort.cuh>
extern "C" __global__ void k(const int* x, int* o) {
    using Sort = cub::BlockRadixSort<int, 128, 4>;
    __shared__ Sort::TempStorage temp;
    int v[4];
    for (int i = 0; i < 4; i++) v[i] = x[threadIdx.x * 4 + i];
    Sort(temp).Sort(v);
    for (int i = 0; i < 4; i++) o[threadIdx.x * 4 + i] = v[i];
}
