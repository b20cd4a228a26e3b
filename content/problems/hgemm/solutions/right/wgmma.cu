// needs: gpu
// Hopper's warpgroup products: 128 x 256 per block, operands straight from shared memory, four tiles in flight.
//
// Idea: wgmma lets 128 threads multiply a 64 x 16 by a 16 x 256 tile in one instruction, both read from shared memory
// by the tensor cores themselves, asynchronously. Two warpgroups share the 256 rows of B and have 64 rows of A each.
// cp.async fills a ring of four tiles, two steps ahead of the one in use.
// Cost: per step of 64 along k a block moves 48 KB into shared memory and makes 4.2 million multiply-adds, so a tile of
// this size asks device memory (mostly the L2 cache) for 1 byte per 87 multiply-adds. 128 of a thread's registers are
// sums.
// Why the swizzle: rows of 64 halves are exactly 128 bytes, all 32 banks; unswizzled, a column of eight rows would sit
// in the same four banks. Exchanging the 16-byte pieces of row r by piece ^ (r % 8) is the pattern that the tensor
// cores undo when the descriptor says 128-byte swizzle.
// Why the fence: cp.async writes as ordinary stores do; the tensor cores read through another path (the async proxy),
// which sees them only after fence.proxy.async.

//! launch hgemm<<<ceil_div(m, 128)*ceil_div(n, 256), 256, 197632>>>(a, b, c, m, n, k)

#include <cuda_fp16.h>

constexpr int kTileM = 128, kTileN = 256, kDepth = 64, kStages = 4;
constexpr int kBytesA = kTileM * kDepth * 2, kBytesB = kTileN * kDepth * 2;
constexpr int kAhead = 2;  // tiles requested before they are needed; the ring is two longer, see below

__device__ __forceinline__ void copy16(unsigned to, const half* from, bool inside) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0) : "memory");
}

// Where a tile of 128-byte rows lies: its address, 1024 bytes from one group of eight rows to the next, swizzle 128.
__device__ __forceinline__ unsigned long long describe(unsigned address) {
    const unsigned long long start = (address & 0x3FFFF) >> 4, group_step = 1024 >> 4;
    return start | 1ull << 16 | group_step << 32 | 1ull << 62;
}

// d += (64 x 16 of A) * (256 x 16 of B) transposed.
__device__ __forceinline__ void product(float (&d)[128], unsigned long long a, unsigned long long b, bool accumulate) {
    asm volatile(
        "{\n"
        ".reg .pred accumulate;\n"
        "setp.ne.b32 accumulate, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, accumulate, 1, 1, 0, 0;\n"
        "}\n"
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
        : "l"(a), "l"(b), "r"(int(accumulate)));
}

__global__ void __launch_bounds__(256, 1) hgemm(const half* __restrict__ a, const half* __restrict__ b,
                                                float* __restrict__ c, int m, int n, int k) {
    extern __shared__ unsigned char raw[];
    const unsigned base = (unsigned(__cvta_generic_to_shared(raw)) + 1023) & ~1023u;  // swizzling counts from here
    auto tile_a = [&](int stage) { return base + stage * (kBytesA + kBytesB); };
    auto tile_b = [&](int stage) { return base + stage * (kBytesA + kBytesB) + kBytesA; };

    // Blocks that run together should share rows and columns: walk down 16 tile rows before the next tile column.
    const int tiles_m = (m + kTileM - 1) / kTileM, tiles_n = (n + kTileN - 1) / kTileN;
    const int strip = blockIdx.x / (16 * tiles_n), strip_rows = min(16, tiles_m - strip * 16);
    const int inside_strip = blockIdx.x - strip * 16 * tiles_n;
    const int row0 = (strip * 16 + inside_strip % strip_rows) * kTileM, col0 = inside_strip / strip_rows * kTileN;

    // Loading: eight neighbouring threads fetch the 128 bytes of one row; a step of 32 rows keeps r % 8 the same.
    const int r = threadIdx.x / 8, piece = threadIdx.x % 8;
    const unsigned offset = r * 128 + ((piece ^ (r % 8)) * 16);
    const half* a_from = a + (long long)(row0 + r) * k + piece * 8;
    const half* b_from = b + (long long)(col0 + r) * k + piece * 8;
    auto fetch = [&](int tile) {
        const int p = tile * kDepth, stage = tile % kStages;
        const bool inside = p + piece * 8 < k;
#pragma unroll
        for (int i = 0; i < kTileM / 32; ++i) {
            bool ok = inside && row0 + r + 32 * i < m;
            copy16(tile_a(stage) + offset + i * 4096, ok ? a_from + (long long)(32 * i) * k + p : a, ok);
        }
#pragma unroll
        for (int i = 0; i < kTileN / 32; ++i) {
            bool ok = inside && col0 + r + 32 * i < n;
            copy16(tile_b(stage) + offset + i * 4096, ok ? b_from + (long long)(32 * i) * k + p : b, ok);
        }
    };
    auto commit = [] { asm volatile("cp.async.commit_group;" ::: "memory"); };

    const int group = threadIdx.x / 128;
    const int tiles = (k + kDepth - 1) / kDepth;
    float sum[128];
#pragma unroll
    for (int i = 0; i < 128; ++i) sum[i] = 0.0f;
#pragma unroll
    for (int t = 0; t < kAhead; ++t) {
        if (t < tiles) fetch(t);
        commit();
    }
    for (int t = 0; t < tiles; ++t) {
        asm volatile("cp.async.wait_group %0;" ::"n"(kAhead - 1) : "memory");  // this thread's part of tile t is there
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();                                                       // and everybody else's
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        const unsigned long long da = describe(tile_a(t % kStages) + group * 64 * 128), db = describe(tile_b(t % kStages));
#pragma unroll
        for (int p = 0; p < kDepth / 16; ++p) product(sum, da + p * 2, db + p * 2, true);  // 32 bytes further: 2 x 16
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        // The slot of tile t + 2 was last used by tile t - 2. Before the barrier above every warp had waited for its
        // products of tile t - 2 (the line below, one round earlier), so nobody reads that slot any more.
        if (t + kAhead < tiles) fetch(t + kAhead);
        commit();
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");

    // Each thread holds, for every 8 columns, two neighbours in row lane / 4 and two in the row 8 below.
    const int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
    const int row = row0 + group * 64 + warp * 16 + lane / 4, col = col0 + lane % 4 * 2;
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
