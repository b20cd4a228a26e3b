// needs: gpu
// Hopper's warpgroup products: 128 pixels x 256 channels per block, operands straight from shared memory, four tiles in flight.
//
// Idea: wgmma of hgemm with other addresses. Eight neighbouring threads fetch the 64 terms of an output pixel, eight channels each,
// into the ring of four tiles, two steps ahead; cp.async writes zeros where the pixel lies outside the image.
// Cost: for each 64 terms a block moves 48 KB into shared memory and makes 2.1 million multiply-adds. 128 of a thread's registers are
// sums, 12 hold where its four pixels begin.
// Why each piece divides for itself: channels_in is a multiple of 16, not of 64, so that the pieces of one row may belong to two
// taps. That is one division for each thread and tile.
// Why unsigned: a row above the image, -1, is then more than any height, and one comparison is enough.
// Why the fence: cp.async writes as ordinary stores do; the tensor cores read through another path (the async proxy), which sees
// them only after fence.proxy.async.

//! launch conv_implicit_gemm<<<ceil_div(batch*((height + 2*padding - side)/stride + 1)*((width + 2*padding - side)/stride + 1), 128)*ceil_div(channels_out, 256), 256, 197632>>>(x, w, y, batch, height, width, channels_in, channels_out, side, stride, padding)

#include <cuda_fp16.h>

constexpr int kPixels = 128, kChannels = 256, kDepth = 64, kStages = 4;
constexpr int kBytesX = kPixels * kDepth * 2, kBytesW = kChannels * kDepth * 2;
constexpr int kAhead = 2;  // tiles requested before they are needed; the ring is two longer, see below

__device__ __forceinline__ void copy16(unsigned to, const half* from, bool inside) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0) : "memory");
}

// Where a tile of 128-byte rows lies: its address, 1024 bytes from one group of eight rows to the next, swizzle 128.
__device__ __forceinline__ unsigned long long describe(unsigned address) {
    const unsigned long long start = (address & 0x3FFFF) >> 4, group_step = 1024 >> 4;
    return start | 1ull << 16 | group_step << 32 | 1ull << 62;
}

// d += (64 x 16 of the pixels) * (256 x 16 of the filters) transposed.
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

__global__ void __launch_bounds__(256, 1) conv_implicit_gemm(const half* __restrict__ x, const half* __restrict__ w,
                                                             float* __restrict__ y, int batch, int height, int width,
                                                             int channels_in, int channels_out, int side, int stride,
                                                             int padding) {
    extern __shared__ unsigned char raw[];
    const unsigned base = (unsigned(__cvta_generic_to_shared(raw)) + 1023) & ~1023u;  // swizzling counts from here
    auto tile_x = [&](int stage) { return base + stage * (kBytesX + kBytesW); };
    auto tile_w = [&](int stage) { return base + stage * (kBytesX + kBytesW) + kBytesX; };
    const int rows = (height + 2 * padding - side) / stride + 1, cols = (width + 2 * padding - side) / stride + 1;
    const int pixels = batch * rows * cols, terms = side * side * channels_in;
    const int column_tiles = (channels_out + kChannels - 1) / kChannels;
    const int pixel0 = int(blockIdx.x) / column_tiles * kPixels, channel0 = int(blockIdx.x) % column_tiles * kChannels;

    // Loading: eight neighbouring threads fetch 128 bytes of one row; a step of 32 rows keeps r % 8 the same.
    const int r = threadIdx.x / 8, piece = threadIdx.x % 8;
    const unsigned offset = r * 128 + ((piece ^ (r % 8)) * 16);
    int row0[kPixels / 32], col0[kPixels / 32], image[kPixels / 32];
#pragma unroll
    for (int i = 0; i < kPixels / 32; ++i) {
        const int pixel = pixel0 + r + 32 * i;
        row0[i] = pixel < pixels ? pixel / cols % rows * stride - padding : -side;  // behind the end: outside of any image
        col0[i] = pixel % cols * stride - padding;
        image[i] = pixel / cols / rows;
    }
    const half* weights = w + (long long)(channel0 + r) * terms;
    auto fetch = [&](int tile) {
        const int p = tile * kDepth + piece * 8, stage = tile % kStages;
        const int tap = p / channels_in, channel = p - tap * channels_in, down = tap / side, right = tap - down * side;
#pragma unroll
        for (int i = 0; i < kPixels / 32; ++i) {
            const int row = row0[i] + down, col = col0[i] + right;
            const bool ok = (p < terms) & (unsigned(row) < unsigned(height)) & (unsigned(col) < unsigned(width));
            const long long from = (((long long)image[i] * height + row) * width + col) * channels_in + channel;
            copy16(tile_x(stage) + offset + i * 4096, ok ? x + from : x, ok);
        }
#pragma unroll
        for (int i = 0; i < kChannels / 32; ++i) {
            const bool ok = p < terms && channel0 + r + 32 * i < channels_out;
            copy16(tile_w(stage) + offset + i * 4096, ok ? weights + (long long)(32 * i) * terms + p : w, ok);
        }
    };
    auto commit = [] { asm volatile("cp.async.commit_group;" ::: "memory"); };

    const int group = threadIdx.x / 128;
    const int tiles = (terms + kDepth - 1) / kDepth;
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
        const unsigned long long dx = describe(tile_x(t % kStages) + group * 64 * 128), dw = describe(tile_w(t % kStages));
#pragma unroll
        for (int p = 0; p < kDepth / 16; ++p) product(sum, dx + p * 2, dw + p * 2, true);  // 32 bytes further: 2 x 16
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        // The slot of tile t + 2 was last used by tile t - 2. Before the barrier above every warp had waited for its
        // products of tile t - 2 (the line below, one round earlier), so nobody reads that slot any more.
        if (t + kAhead < tiles) fetch(t + kAhead);
        commit();
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");

    // Each thread holds, for every 8 channels, two neighbours of pixel lane / 4 and two of the pixel 8 further down.
    const int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
    const int pixel = pixel0 + group * 64 + warp * 16 + lane / 4, channel = channel0 + lane % 4 * 2;
#pragma unroll
    for (int j = 0; j < kChannels / 8; ++j) {
        if (channel + 8 * j >= channels_out) break;
        float* to = y + (long long)pixel * channels_out + channel + 8 * j;
        if (pixel < pixels) *reinterpret_cast<float2*>(to) = make_float2(sum[4 * j], sum[4 * j + 1]);
        if (pixel + 8 < pixels) {
            *reinterpret_cast<float2*>(to + 8ll * channels_out) = make_float2(sum[4 * j + 2], sum[4 * j + 3]);
        }
    }
}
