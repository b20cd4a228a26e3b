//! launch clear<<<1, 256>>>(counts)
//! launch count<<<ceil_div(n, 256), 256>>>(x, counts, n)
// Cleared by one launch, counted by red in PTX in another.
__global__ void clear(int* counts) { counts[threadIdx.x] = 0; }
__global__ void count(const int* x, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) asm volatile("red.global.add.s32 [%0], 1;" ::"l"(counts + x[i]) : "memory");
}
