// needs: gpu
// Hopper's sparse warpgroup products: the tensor cores take the kept numbers and their places, and skip the zeros.
//
// Idea: wgmma.sp multiplies 64 x 32 of A, of which 64 x 16 numbers are kept, by 32 x 256 of B, in the time of a full product that is
// half as deep. The numbers of A lie in shared memory as they came, their places in a register.
// Cost: for each 64 columns of k a block moves 8 KB of A and 32 KB of B into shared memory and makes a million multiply-adds, while
// full tiles of this size would make two million.
// Why two swizzles: a row of a tile of B is 64 halves, 128 bytes, and of A 32 kept ones, 64 bytes. There the pieces of row r are
// exchanged by piece ^ (r / 2 % 4).
// Why four threads share the places: a row has two words in a tile, and an instruction takes one of them, from threads 0 and 1 of four
// or from threads 2 and 3, as its selector says. An even thread gives columns 0 to 15 of two rows that are 8 apart, an odd one 16 to 31.
// Why each round waits for its products: the register with the places may not change while an instruction reads it. The other
// warpgroup's products keep the tensor cores busy meanwhile.
// Why the fence: cp.async writes as ordinary stores do; the tensor cores read through another path (the async proxy), which sees them
// only after fence.proxy.async.

//! launch sparse24_matmul<<<ceil_div(m, 128)*ceil_div(n, 256), 256, 164864>>>(values, places, b, c, m, n, k)

#include <cuda_fp16.h>

constexpr int kTileM = 128, kTileN = 256, kDepth = 64, kStages = 4;
constexpr int kBytesA = kTileM * kDepth, kBytesB = kTileN * kDepth * 2;
constexpr int kAhead = 3;  // tiles requested before they are needed; the ring is one longer, see below

__device__ __forceinline__ void copy16(unsigned to, const half* from, bool inside) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0) : "memory");
}

// Where a tile lies whose rows have 128 or 64 bytes: its address, the bytes from one group of eight rows to the next, its swizzle.
template <int kRow>
__device__ __forceinline__ unsigned long long describe(unsigned address) {
    const unsigned long long start = (address & 0x3FFFF) >> 4, group_step = 8 * kRow >> 4;
    return start | 1ull << 16 | group_step << 32 | (kRow == 128 ? 1ull : 2ull) << 62;
}

// d += (64 x 32 of A, 16 of them kept) * (256 x 32 of B) transposed.
template <int kSelector>
__device__ __forceinline__ void product(float (&d)[128], unsigned long long a, unsigned long long b, unsigned where) {
    asm volatile(
        "wgmma.mma_async.sp.sync.aligned.m64n256k32.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, %130, %131, 1, 1, 1, 0, 0;\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]),
          "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
          "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]),
          "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
          "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
          "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
          "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
          "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),
          "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
          "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]),
          "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]),
          "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]),
          "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]),
          "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]),
          "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]),
          "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]),
          "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]),
          "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]),
          "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]),
          "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]),
          "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]),
          "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
          "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]),
          "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]),
          "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
          "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]),
          "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]),
          "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
        : "l"(a), "l"(b), "r"(where), "n"(kSelector));
}

__global__ void __launch_bounds__(256, 1) sparse24_matmul(const half* __restrict__ values,
                                                          const unsigned* __restrict__ places,
                                                          const half* __restrict__ b, float* __restrict__ c, int m,
                                                          int n, int k) {
    extern __shared__ unsigned char raw[];
    const unsigned base = (unsigned(__cvta_generic_to_shared(raw)) + 1023) & ~1023u;  // swizzling counts from here
    auto tile_a = [&](int stage) { return base + stage * (kBytesA + kBytesB); };
    auto tile_b = [&](int stage) { return base + stage * (kBytesA + kBytesB) + kBytesA; };

    // Blocks that run together should share rows and columns: walk down 16 tile rows before the next tile column.
    const int tiles_m = (m + kTileM - 1) / kTileM, tiles_n = (n + kTileN - 1) / kTileN;
    const int strip = blockIdx.x / (16 * tiles_n), strip_rows = min(16, tiles_m - strip * 16);
    const int inside_strip = blockIdx.x - strip * 16 * tiles_n;
    const int row0 = (strip * 16 + inside_strip % strip_rows) * kTileM, col0 = inside_strip / strip_rows * kTileN;

    // Loading: eight neighbouring threads fetch the 128 bytes of a row of B, four the 64 bytes of a row of A.
    const int r = threadIdx.x / 8, piece = threadIdx.x % 8, ra = threadIdx.x / 4, piece_a = threadIdx.x % 4;
    const unsigned offset = r * 128 + ((piece ^ (r % 8)) * 16), offset_a = ra * 64 + ((piece_a ^ (ra / 2 % 4)) * 16);
    const half* a_from = values + (long long)(row0 + ra) * (k / 2) + piece_a * 8;
    const half* b_from = b + (long long)(col0 + r) * k + piece * 8;
    auto fetch = [&](int tile) {
        const int p = tile * kDepth, stage = tile % kStages;
#pragma unroll
        for (int i = 0; i < kTileM / 64; ++i) {
            const bool ok = p + piece_a * 16 < k && row0 + ra + 64 * i < m;
            copy16(tile_a(stage) + offset_a + i * 4096, ok ? a_from + (long long)(64 * i) * (k / 2) + p / 2 : values, ok);
        }
#pragma unroll
        for (int i = 0; i < kTileN / 32; ++i) {
            const bool ok = p + piece * 8 < k && col0 + r + 32 * i < n;
            copy16(tile_b(stage) + offset + i * 4096, ok ? b_from + (long long)(32 * i) * k + p : b, ok);
        }
    };
    auto commit = [] { asm volatile("cp.async.commit_group;" ::: "memory"); };

    // The places of this thread: of its row and the one 8 below, 16 columns each, in one of a tile's two words.
    const int group = threadIdx.x / 128, warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
    const int row = row0 + group * 64 + warp * 16 + lane / 4, word = lane % 4 / 2;
    auto places_of = [&](int tile) {
        const int at = 2 * tile + word;
        const unsigned upper = row < m && at < k / 32 ? places[(long long)row * (k / 32) + at] : 0x44444444;
        const unsigned lower = row + 8 < m && at < k / 32 ? places[(long long)(row + 8) * (k / 32) + at] : 0x44444444;
        return __byte_perm(upper, lower, lane % 2 == 0 ? 0x5410 : 0x7632);
    };
    const int tiles = (k + kDepth - 1) / kDepth;
    float sum[128];
#pragma unroll
    for (int i = 0; i < 128; ++i) sum[i] = 0.0f;
#pragma unroll
    for (int t = 0; t < kAhead; ++t) {
        if (t < tiles) fetch(t);
        commit();
    }
    unsigned next = places_of(0);
    for (int t = 0; t < tiles; ++t) {
        const unsigned where = next;
        if (t + 1 < tiles) next = places_of(t + 1);
        asm volatile("cp.async.wait_group %0;" ::"n"(kAhead - 1) : "memory");  // this thread's part of tile t is there
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();                                                       // and everybody else's
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        const unsigned long long da = describe<64>(tile_a(t % kStages) + group * 64 * 64);
        const unsigned long long db = describe<128>(tile_b(t % kStages));
        product<0>(sum, da, db, where);
        product<1>(sum, da + 2, db + 4, where);  // 32 and 64 bytes further, counted in 16
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        // The slot of tile t + 3 was last used by tile t - 1. Before the barrier above every warp had waited for its
        // products of tile t - 1 (the line below, one round earlier), so nobody reads that slot any more.
        if (t + kAhead < tiles) fetch(t + kAhead);
        commit();
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    }

    // Each thread holds, for every 8 columns, two neighbours in row lane / 4 and two in the row 8 below.
    const int col = col0 + lane % 4 * 2;
#pragma unroll
    for (int j = 0; j < kTileN / 8; ++j) {
        if (col + 8 * j >= n) break;
        if (row < m) {
            *reinterpret_cast<float2*>(c + (long long)row * n + col + 8 * j) = make_float2(sum[4 * j], sum[4 * j + 1]);
        }
        if (row + 8 < m) {
            *reinterpret_cast<float2*>(c + (long long)(row + 8) * n + col + 8 * j) =
                make_float2(sum[4 * j + 2], sum[4 * j + 3]);
        }
    }
}
