// Expected values of histogram: one block per bin would read the input 256 times, so each block counts its share in
// shared memory with atomics, and a second launch adds up the shares.
//! scratch share int 1024*256
//! launch count_share<<<1024, 256>>>(x, share, n)
//! launch add_shares<<<1, 256>>>(share, expected_counts)

__global__ void count_share(const int* x, int* share, int n) {
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) atomicAdd(&counts[x[i]], 1);
    __syncthreads();
    share[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}

__global__ void add_shares(const int* share, int* expected) {
    int sum = 0;
    for (int block = 0; block < 1024; ++block) sum += share[block * 256 + threadIdx.x];
    expected[threadIdx.x] = sum;
}

__global__ void fill_x(int* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        data[i] = int(bits >> 56);
    }
}
