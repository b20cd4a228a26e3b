// needs: gpu
// A cluster of eight blocks for each row, and bulk copies bring each block its eighth.
//
// Idea: one thread asks for 100 KB with four instructions (cp.async.bulk); the copy unit writes them into shared memory and counts
// the bytes on an mbarrier. No register and no load instruction is involved, and all of it is on its way at once.
// Cost: 8 bytes for each element. Two blocks of 100 KB share a multiprocessor: while one calculates or writes, the copies of the
// other one are under way.
// Why four pieces: the maximum of the first is looked for while the others are still coming.
// Why each thread may read what it has not copied: waiting for an mbarrier whose bytes are complete makes them visible to it.
// Why the second barrier of the cluster: a block that has ended takes its shared memory with it.

//! launch long_softmax<<<8*rows, 512, ceil_div(cols, 32)*16>>>(x, y, rows, cols)

constexpr int kBlocks = 8, kThreads = 512, kPieces = 4;
constexpr float kLowest = -3.402823466e+38f;
constexpr unsigned kAll = 0xffffffffu;

__device__ unsigned shared_address(const void* pointer) { return unsigned(__cvta_generic_to_shared(pointer)); }

// Asks for `bytes`, a multiple of 16, and has the barrier wait for them.
__device__ void request(float4* to, const float4* from, unsigned bytes, unsigned long long* arrived) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(arrived)), "r"(bytes)
                 : "memory");
    if (bytes == 0) return;
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(arrived))
                 : "memory");
}

__device__ void wait(unsigned long long* arrived) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "again:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
        "@!done bra again;\n"
        "}\n" ::"r"(shared_address(arrived))
        : "memory");
}

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
    extern __shared__ __align__(128) float4 part[];
    __shared__ unsigned long long arrived[kPieces];
    __shared__ float maxima[kThreads / 32], sums[kThreads / 32];
    __shared__ float2 mine;
    const long long row = blockIdx.x / kBlocks;
    const int share = (cols / 4 + kBlocks - 1) / kBlocks, first = int(rank_in_cluster()) * share;
    const int count = max(0, min(share, cols / 4 - first)), step = (share + kPieces - 1) / kPieces;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float4* from = reinterpret_cast<const float4*>(x + row * cols) + first;
    float4* to = reinterpret_cast<float4*>(y + row * cols) + first;

    if (threadIdx.x == 0) {
        for (int p = 0; p < kPieces; ++p) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(arrived + p)) : "memory");
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // the copy unit has to see them initialised
        for (int p = 0; p < kPieces; ++p) {
            const int length = max(0, min(step, count - p * step));
            request(part + p * step, from + p * step, 16 * length, arrived + p);
        }
    }
    __syncthreads();  // nobody waits for a barrier that is not initialised

    float top = kLowest;
    for (int p = 0; p < kPieces; ++p) {
        wait(arrived + p);
        const int end = min(count, (p + 1) * step);
#pragma unroll 4
        for (int i = p * step + threadIdx.x; i < end; i += kThreads) {
            const float4 v = part[i];
            top = fmaxf(top, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
        }
    }
    top = warp_max(top);
    if (lane == 0) maxima[warp] = top;
    __syncthreads();
    top = warp_max(maxima[lane % (kThreads / 32)]);

    float sum = 0.0f;
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
