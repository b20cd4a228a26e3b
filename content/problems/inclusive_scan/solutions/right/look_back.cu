// One pass with decoupled look-back (Merrill and Garland, 2016).
//
// Idea: a block publishes the sum of its tile as soon as it knows it; then its first warp looks back over the
// predecessors, 32 at a time, adding published sums until it meets one that already knows its whole prefix; at last
// it publishes its own prefix. So the chain from tile to tile runs over words in the L2 cache, while the elements
// themselves are read once and written once.
// Cost: 8 bytes per element plus one cache line per tile of 40960.
// Why the tile is so large: a block has nothing in flight while it looks back, so it should ask for much beforehand.
// Registers hold 8 of 20 rows, shared memory the other 12.
// Why the sum is published before anything is scanned: every successor waits for it, and scanning gives the
// predecessors time to publish theirs.
// Why the words stand 128 bytes apart: hundreds of warps watch the same few tiles. Side by side these words share a line
// or two, whose part of the L2 cache cannot answer all of them: 72% of the copy bandwidth on an H200 instead of 88%
// (and 91% with the large tile).
// Why a ticket instead of blockIdx: a block may only wait for blocks that have started. Tickets are drawn in the
// order in which blocks start, so every predecessor is running or done.
// Why state and sum share one 64-bit word: one store publishes both, and no fence is needed between them.

//! scratch ticket unsigned 1 zero
//! scratch state unsigned long long 16*ceil_div(n, 40960) zero
//! launch inclusive_scan<<<ceil_div(n, 40960), 512, 98304>>>(x, y, ticket, state, n)

constexpr int kWarps = 16, kHeld = 8, kParked = 12;  // rows of a warp in registers and in shared memory
constexpr int kRows = kHeld + kParked;              // a row: 32 lanes with an int4 each
constexpr int kTile = kWarps * kRows * 128;
constexpr int kApart = 16;  // words from one tile's state to the next
constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kSumKnown = 1, kPrefixKnown = 2;  // 0: nothing yet

__device__ void publish(unsigned long long* word, unsigned state, int value) {
    unsigned long long packed = (unsigned long long)state << 32 | unsigned(value);
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(packed) : "memory");
}

__device__ unsigned long long look(const unsigned long long* word) {
    unsigned long long packed;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(packed) : "l"(word) : "memory");
    return packed;
}

__device__ int warp_inclusive(int value) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(kAll, value, d);
        if (lane >= d) value += left;
    }
    return value;
}

// The sum of all tiles before this one; one whole warp calls it.
__device__ int look_back(const unsigned long long* state, int tile) {
    int prefix = 0, lane = threadIdx.x % 32;
    for (int nearest = tile - 1; nearest >= 0; nearest -= 32) {
        int other = nearest - lane;  // lane 0 looks at the nearest predecessor
        unsigned long long word = (unsigned long long)kPrefixKnown << 32;  // before the first tile: a prefix of 0
        if (other >= 0) {
            do {
                word = look(state + other * kApart);
            } while (word >> 32 == 0);
        }
        __syncwarp();
        unsigned complete = __ballot_sync(kAll, word >> 32 == kPrefixKnown);
        int stop = complete ? __ffs(complete) - 1 : 31;  // farther lanes are contained in that prefix
        prefix += __reduce_add_sync(kAll, lane <= stop ? int(unsigned(word)) : 0);
        if (complete) break;
    }
    return prefix;
}

__device__ int add_up(int4 v) { return (v.x + v.y) + (v.z + v.w); }

// Four neighbours from i on, zeros behind the end.
__device__ int4 guarded(const int* x, long long i, int n) {
    return make_int4(i < n ? x[i] : 0, i + 1 < n ? x[i + 1] : 0, i + 2 < n ? x[i + 2] : 0, i + 3 < n ? x[i + 3] : 0);
}

__device__ void copy16(int4* to, const int* from) {
    unsigned address = unsigned(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
}

// A row of the warp becomes its inclusive scan, counted on from the warp's earlier rows.
__device__ int4 scan_row(int4 v, int& carry) {
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    const int inclusive = warp_inclusive(v.w);
    const int before = carry + inclusive - v.w;
    carry += __shfl_sync(kAll, inclusive, 31);
    return make_int4(v.x + before, v.y + before, v.z + before, v.w + before);
}

__device__ void put(int* y, long long i, int n, int4 v, int before) {
    if (i + 4 <= n) {
        *reinterpret_cast<int4*>(y + i) = make_int4(v.x + before, v.y + before, v.z + before, v.w + before);
    } else {
        if (i + 0 < n) y[i + 0] = v.x + before;
        if (i + 1 < n) y[i + 1] = v.y + before;
        if (i + 2 < n) y[i + 2] = v.z + before;
    }
}

__global__ void __launch_bounds__(32 * kWarps, 2) inclusive_scan(const int* __restrict__ x, int* __restrict__ y,
                                                                 unsigned* ticket, unsigned long long* state, int n) {
    extern __shared__ int4 parking[];
    __shared__ int warp_sum[kWarps], before_warp[kWarps];
    __shared__ int drawn;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0) drawn = int(atomicAdd(ticket, 1u));
    __syncthreads();
    const int tile = drawn;
    const long long first = (long long)tile * kTile + warp * (kRows * 128) + lane * 4;  // row k: 128 k further

    int4* parked = parking + warp * (kParked * 32) + lane;  // this thread's own slots: no barrier is needed for them
#pragma unroll
    for (int k = 0; k < kParked; ++k) {
        const long long i = first + (kHeld + k) * 128;
        if (i + 4 <= n) {
            copy16(parked + k * 32, x + i);
        } else {
            parked[k * 32] = guarded(x, i, n);
        }
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    int4 held[kHeld];
#pragma unroll
    for (int k = 0; k < kHeld; ++k) {
        const long long i = first + k * 128;
        held[k] = i + 4 <= n ? *reinterpret_cast<const int4*>(x + i) : guarded(x, i, n);
    }
    int sum = 0;
#pragma unroll
    for (int k = 0; k < kHeld; ++k) sum += add_up(held[k]);
    asm volatile("cp.async.wait_group 0;" ::: "memory");
#pragma unroll 2
    for (int k = 0; k < kParked; ++k) sum += add_up(parked[k * 32]);
    sum = __reduce_add_sync(kAll, sum);
    if (lane == 0) warp_sum[warp] = sum;
    __syncthreads();

    int through_warp = 0, tile_sum = 0;  // of the first warp's lanes: the tile up to and including warp `lane`
    if (warp == 0) {
        through_warp = warp_inclusive(lane < kWarps ? warp_sum[lane] : 0);
        tile_sum = __shfl_sync(kAll, through_warp, 31);
        if (lane == 0) publish(state + tile * kApart, tile == 0 ? kPrefixKnown : kSumKnown, tile_sum);
    }
    int carry = 0;
#pragma unroll
    for (int k = 0; k < kHeld; ++k) held[k] = scan_row(held[k], carry);
#pragma unroll 2
    for (int k = 0; k < kParked; ++k) parked[k * 32] = scan_row(parked[k * 32], carry);
    if (warp == 0) {
        const int prefix = look_back(state, tile);
        if (lane == 0 && tile > 0) publish(state + tile * kApart, kPrefixKnown, prefix + tile_sum);
        if (lane < kWarps) before_warp[lane] = prefix + through_warp - warp_sum[lane];
    }
    __syncthreads();
    const int before = before_warp[warp];
#pragma unroll
    for (int k = 0; k < kHeld; ++k) put(y, first + k * 128, n, held[k], before);
#pragma unroll 2
    for (int k = 0; k < kParked; ++k) put(y, first + (kHeld + k) * 128, n, parked[k * 32], before);
}
