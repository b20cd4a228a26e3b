// needs: gpu
// A cluster of eight blocks holds a row in the shared memory of eight multiprocessors: read once, written once.
//
// Idea: the blocks of a cluster run at the same time, can wait for each other and read each other's shared memory. Each keeps an
// eighth of the row, with its maximum and its sum; the eight pairs are all that has to be exchanged.
// Cost: 8 bytes for each element. At 200064 columns a block takes 100 KB of shared memory, so that a multiprocessor holds two.
// Why exponentials are kept instead of elements: they are calculated once, relative to the block's own maximum, and one factor for
// each block carries them over to that of the row.
// Why the second barrier of the cluster: a block that has ended takes its shared memory with it. Arriving and waiting are apart, so
// that nobody waits before having written.
// Why PTX: <cooperative_groups.h> has names for it (cluster.sync(), map_shared_rank), and takes longer to compile than all else.

//! launch long_softmax<<<8*rows, 512, ceil_div(cols, 32)*16>>>(x, y, rows, cols)

constexpr int kBlocks = 8, kThreads = 512;
constexpr float kLowest = -3.402823466e+38f;
constexpr unsigned kAll = 0xffffffffu;

__device__ unsigned rank_in_cluster() {
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ void arrive_at_cluster() { asm volatile("barrier.cluster.arrive.release;" ::: "memory"); }

__device__ void wait_for_cluster() { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }

// What the variable at `own` holds in the block of that rank.
__device__ float2 read_from(const float2* own, unsigned rank) {
    float2 pair;
    asm volatile(
        "{\n"
        ".reg .b32 there;\n"
        "mapa.shared::cluster.u32 there, %2, %3;\n"
        "ld.shared::cluster.v2.f32 {%0, %1}, [there];\n"
        "}\n"
        : "=f"(pair.x), "=f"(pair.y)
        : "r"(unsigned(__cvta_generic_to_shared(own))), "r"(rank)
        : "memory");
    return pair;
}

__device__ float warp_max(float value) {
    for (int d = 16; d > 0; d /= 2) value = fmaxf(value, __shfl_xor_sync(kAll, value, d));
    return value;
}

__device__ float warp_sum(float value) {
    for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(kAll, value, d);
    return value;
}

__global__ void __cluster_dims__(kBlocks, 1, 1) __launch_bounds__(kThreads) long_softmax(const float* __restrict__ x,
                                                                                         float* __restrict__ y, int rows,
                                                                                         int cols) {
    extern __shared__ float4 part[];
    __shared__ float maxima[kThreads / 32], sums[kThreads / 32];
    __shared__ float2 mine;
    const long long row = blockIdx.x / kBlocks;
    const int share = (cols / 4 + kBlocks - 1) / kBlocks, first = int(rank_in_cluster()) * share;
    const int count = max(0, min(share, cols / 4 - first)), warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float4* from = reinterpret_cast<const float4*>(x + row * cols) + first;
    float4* to = reinterpret_cast<float4*>(y + row * cols) + first;

    float top = kLowest;
#pragma unroll 8
    for (int i = threadIdx.x; i < count; i += kThreads) {
        const float4 v = from[i];
        part[i] = v;
        top = fmaxf(top, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    }
    top = warp_max(top);
    if (lane == 0) maxima[warp] = top;
    __syncthreads();
    top = warp_max(maxima[lane % (kThreads / 32)]);

    float sum = 0.0f;  // each thread meets again the elements that it has stored itself
#pragma unroll 4
    for (int i = threadIdx.x; i < count; i += kThreads) {
        float4 v = part[i];
        v = make_float4(expf(v.x - top), expf(v.y - top), expf(v.z - top), expf(v.w - top));
        part[i] = v;
        sum += (v.x + v.y) + (v.z + v.w);
    }
    sum = warp_sum(sum);
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < kThreads / 32 ? sums[lane] : 0.0f);
        if (lane == 0) mine = make_float2(top, sum);
    }
    arrive_at_cluster();
    wait_for_cluster();  // all eight pairs are there

    const float2 pair = read_from(&mine, lane % kBlocks);
    arrive_at_cluster();  // this thread needs nobody's shared memory any more
    const float row_top = warp_max(pair.x);
    const float row_sum = warp_sum(lane < kBlocks ? pair.y * expf(pair.x - row_top) : 0.0f);
    const float scale = expf(top - row_top) / row_sum;
#pragma unroll 4
    for (int i = threadIdx.x; i < count; i += kThreads) {
        const float4 v = part[i];
        to[i] = make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
    }
    wait_for_cluster();
}
