// 32 copies of the histogram, one for each lane, each copy in a memory bank of its own.
//
// Idea: counter v of lane l stands at v * 32 + l, which is bank l. The 32 lanes of a warp then never meet: neither on
// a word nor in a bank, whatever the values are. Only warps of the same block still share words, hence the atomics.
// Cost: 32 KB of shared memory per block, so few and large blocks (two of 1024 threads per multiprocessor); adding
// up 32 copies at the end, once per block.
// Why it is worth it: with one copy a random warp queues three to four deep for banks, and a constant input 32 deep.
// Here both take the same time, that of reading the input.

//! launch clear<<<1, 256>>>(counts)
//! launch histogram<<<min(ceil_div(n, 4096), 264), 1024>>>(x, counts, n)

constexpr int kThreads = 1024;
constexpr int kUnroll = 4;  // int4 loads in flight per thread

__global__ void clear(int* counts) { counts[threadIdx.x] = 0; }

__global__ void __launch_bounds__(kThreads, 2) histogram(const int* __restrict__ x, int* __restrict__ counts, int n) {
    __shared__ int copies[256 * 32];
    for (int i = threadIdx.x; i < 256 * 32; i += kThreads) copies[i] = 0;
    __syncthreads();

    int* mine = copies + threadIdx.x % 32;
    const int4* x4 = reinterpret_cast<const int4*>(x);
    const long long vectors = n / 4, stride = (long long)gridDim.x * kThreads;
    long long i = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (i < n % 4) atomicAdd(&mine[x[vectors * 4 + i] * 32], 1);  // what fills no vector
    for (; i < vectors; i += kUnroll * stride) {
        int4 v[kUnroll];
#pragma unroll
        for (int k = 0; k < kUnroll; ++k) {
            if (i + k * stride < vectors) v[k] = x4[i + k * stride];
        }
#pragma unroll
        for (int k = 0; k < kUnroll; ++k) {
            if (i + k * stride < vectors) {
                atomicAdd(&mine[v[k].x * 32], 1);
                atomicAdd(&mine[v[k].y * 32], 1);
                atomicAdd(&mine[v[k].z * 32], 1);
                atomicAdd(&mine[v[k].w * 32], 1);
            }
        }
    }
    __syncthreads();
    // A warp adds up one counter's 32 copies at a time: neighbouring words, then a reduction among the lanes.
    for (int bin = threadIdx.x / 32; bin < 256; bin += kThreads / 32) {
        int sum = __reduce_add_sync(0xffffffffu, mine[bin * 32]);
        if (threadIdx.x % 32 == 0 && sum > 0) atomicAdd(&counts[bin], sum);
    }
}
