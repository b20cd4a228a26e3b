// cub::BlockHistogram, tile by tile.
#include <cub/block/block_histogram.cuh>
__global__ void histogram(const int* x, int* counts, int n) {
    using Histogram = cub::BlockHistogram<unsigned char, 256, 1, 257, cub::BLOCK_HISTO_ATOMIC>;
    __shared__ typename Histogram::TempStorage temp;
    __shared__ int bins[257];
    Histogram(temp).InitHistogram(bins);
    int whole = n / 256 * 256;
    for (int start = 0; start < whole; start += 256) {
        unsigned char one[1] = {(unsigned char)x[start + threadIdx.x]};
        __syncthreads();
        Histogram(temp).Composite(one, bins);
    }
    __syncthreads();
    for (int i = whole + threadIdx.x; i < n; i += 256) atomicAdd(&bins[x[i]], 1);
    __syncthreads();
    counts[threadIdx.x] = bins[threadIdx.x];
}
