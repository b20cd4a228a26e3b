//! launch count<<<4, 64>>>(x, n)
//! launch give<<<1, 256>>>(counts)
// Counters in a __device__ array, which starts from zero.
__device__ unsigned kept[256];
__global__ void count(const int* x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicInc(&kept[x[i]], ~0u);
}
__global__ void give(int* counts) { counts[threadIdx.x] = (int)kept[threadIdx.x]; }
