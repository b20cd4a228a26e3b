// needs: gpu
// Hopper's warpgroup products on bytes: 128 x 256 per block, operands straight from shared memory, four tiles in flight.
//
// Idea: a row of 128 bytes is 128 numbers here, twice as many as halves; tiles, ring and swizzle stay as they are, and one
// instruction multiplies a 64 x 32 by a 32 x 256 tile into 32-bit integers.
// Cost: per step of 128 along k a block moves 48 KB into shared memory and makes 4.2 million multiply-adds: as many bytes
// for each multiply-add as a tile of this size needs with halves, divided by two.
// Why both operands have k along their rows: bytes have no transposed form in wgmma, halves do.

//! launch int8_gemm<<<ceil_div(m, 128)*ceil_div(n, 256), 256, 197632>>>(a, b, c, m, n, k)

constexpr int kTileM = 128, kTileN = 256, kDepth = 128, kStages = 4;
constexpr int kBytesA = kTileM * kDepth, kBytesB = kTileN * kDepth;
constexpr int kAhead = 2;  // tiles requested before they are needed; the ring is two longer, see below

__device__ __forceinline__ void copy16(unsigned to, const signed char* from, bool inside) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0) : "memory");
}

// Where a tile of 128-byte rows lies: its address, 1024 bytes from one group of eight rows to the next, swizzle 128.
__device__ __forceinline__ unsigned long long describe(unsigned address) {
    const unsigned long long start = (address & 0x3FFFF) >> 4, group_step = 1024 >> 4;
    return start | 1ull << 16 | group_step << 32 | 1ull << 62;
}

// d += (64 x 32 of A) * (256 x 32 of B) transposed.
__device__ __forceinline__ void product(int (&d)[128], unsigned long long a, unsigned long long b, bool accumulate) {
    asm volatile(
        "{\n"
        ".reg .pred accumulate;\n"
        "setp.ne.b32 accumulate, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, accumulate;\n"
        "}\n"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]),
          "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]),
          "+r"(d[8]), "+r"(d[9]), "+r"(d[10]), "+r"(d[11]),
          "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]),
          "+r"(d[16]), "+r"(d[17]), "+r"(d[18]), "+r"(d[19]),
          "+r"(d[20]), "+r"(d[21]), "+r"(d[22]), "+r"(d[23]),
          "+r"(d[24]), "+r"(d[25]), "+r"(d[26]), "+r"(d[27]),
          "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31]),
          "+r"(d[32]), "+r"(d[33]), "+r"(d[34]), "+r"(d[35]),
          "+r"(d[36]), "+r"(d[37]), "+r"(d[38]), "+r"(d[39]),
          "+r"(d[40]), "+r"(d[41]), "+r"(d[42]), "+r"(d[43]),
          "+r"(d[44]), "+r"(d[45]), "+r"(d[46]), "+r"(d[47]),
          "+r"(d[48]), "+r"(d[49]), "+r"(d[50]), "+r"(d[51]),
          "+r"(d[52]), "+r"(d[53]), "+r"(d[54]), "+r"(d[55]),
          "+r"(d[56]), "+r"(d[57]), "+r"(d[58]), "+r"(d[59]),
          "+r"(d[60]), "+r"(d[61]), "+r"(d[62]), "+r"(d[63]),
          "+r"(d[64]), "+r"(d[65]), "+r"(d[66]), "+r"(d[67]),
          "+r"(d[68]), "+r"(d[69]), "+r"(d[70]), "+r"(d[71]),
          "+r"(d[72]), "+r"(d[73]), "+r"(d[74]), "+r"(d[75]),
          "+r"(d[76]), "+r"(d[77]), "+r"(d[78]), "+r"(d[79]),
          "+r"(d[80]), "+r"(d[81]), "+r"(d[82]), "+r"(d[83]),
          "+r"(d[84]), "+r"(d[85]), "+r"(d[86]), "+r"(d[87]),
          "+r"(d[88]), "+r"(d[89]), "+r"(d[90]), "+r"(d[91]),
          "+r"(d[92]), "+r"(d[93]), "+r"(d[94]), "+r"(d[95]),
          "+r"(d[96]), "+r"(d[97]), "+r"(d[98]), "+r"(d[99]),
          "+r"(d[100]), "+r"(d[101]), "+r"(d[102]), "+r"(d[103]),
          "+r"(d[104]), "+r"(d[105]), "+r"(d[106]), "+r"(d[107]),
          "+r"(d[108]), "+r"(d[109]), "+r"(d[110]), "+r"(d[111]),
          "+r"(d[112]), "+r"(d[113]), "+r"(d[114]), "+r"(d[115]),
          "+r"(d[116]), "+r"(d[117]), "+r"(d[118]), "+r"(d[119]),
          "+r"(d[120]), "+r"(d[121]), "+r"(d[122]), "+r"(d[123]),
          "+r"(d[124]), "+r"(d[125]), "+r"(d[126]), "+r"(d[127])
        : "l"(a), "l"(b), "r"(int(accumulate)));
}

__global__ void __launch_bounds__(256, 1) int8_gemm(const signed char* __restrict__ a,
                                                    const signed char* __restrict__ b, int* __restrict__ c, int m,
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

    // Loading: eight neighbouring threads fetch the 128 bytes of one row; a step of 32 rows keeps r % 8 the same.
    const int r = threadIdx.x / 8, piece = threadIdx.x % 8;
    const unsigned offset = r * 128 + ((piece ^ (r % 8)) * 16);
    const signed char* a_from = a + (long long)(row0 + r) * k + piece * 16;
    const signed char* b_from = b + (long long)(col0 + r) * k + piece * 16;
    auto fetch = [&](int tile) {
        const int p = tile * kDepth, stage = tile % kStages;
        const bool inside = p + piece * 16 < k;
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
    int sum[128];
#pragma unroll
    for (int i = 0; i < 128; ++i) sum[i] = 0;
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
        for (int p = 0; p < kDepth / 32; ++p) product(sum, da + p * 2, db + p * 2, true);  // 32 bytes further: 2 x 16
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
            *reinterpret_cast<int2*>(c + (long long)row * n + col + 8 * j) = make_int2(sum[4 * j], sum[4 * j + 1]);
        }
        if (row + 8 < m) {
            *reinterpret_cast<int2*>(c + (long long)(row + 8) * n + col + 8 * j) =
                make_int2(sum[4 * j + 2], sum[4 * j + 3]);
        }
    }
}
