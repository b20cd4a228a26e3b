// cub sorts a tile; runs of equal values are counted by their ends.
#include <cub/block/block_radix_sort.cuh>
__global__ void histogram(const int* x, int* counts, int n) {
    using Sort = cub::BlockRadixSort<unsigned short, 256, 1>;
    __shared__ typename Sort::TempStorage temp;
    __shared__ unsigned short sorted[257];
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    sorted[256] = 65535;
    for (int start = 0; start < n; start += 256) {
        unsigned short key[1] = {start + (int)threadIdx.x < n ? (unsigned short)x[start + threadIdx.x] : (unsigned short)300};
        __syncthreads();
        Sort(temp).Sort(key, 0, 9);
        sorted[threadIdx.x] = key[0];
        __syncthreads();
        if (key[0] < 256 && sorted[threadIdx.x + 1] != key[0]) {
            int first = threadIdx.x;
            while (first > 0 && sorted[first - 1] == key[0]) --first;
            bins[key[0]] += threadIdx.x - first + 1;
        }
    }
    __syncthreads();
    counts[threadIdx.x] = bins[threadIdx.x];
}
