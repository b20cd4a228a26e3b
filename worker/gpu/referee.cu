// The referee's own kernels: random inputs, comparison, and what measures the card.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef unsigned long long u64;

#define EACH(i, count) \
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < (count); i += gridDim.x * (u64)blockDim.x)

// --- inputs ------------------------------------------------------------------------------------------------

__device__ u64 mixed(u64 i, u64 seed) {
    u64 bits = (i + seed) * 0x9E3779B97F4A7C15ull;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
    return bits ^ (bits >> 31);
}

__device__ double unit(u64 bits) { return double(bits >> 11) * (1.0 / 9007199254740992.0); }

template <typename T>
struct Draw {
    static __device__ T from(u64 bits, double low, double high) {
        return T((long long)low + (long long)(bits % (u64)((long long)high - (long long)low)));
    }
};
template <>
struct Draw<float> {
    static __device__ float from(u64 bits, double low, double high) {
        return float(low) + float(bits >> 40) * (1.0f / 16777216.0f) * float(high - low);
    }
};
template <>
struct Draw<double> {
    static __device__ double from(u64 bits, double low, double high) { return low + unit(bits) * (high - low); }
};
template <>
struct Draw<__half> {
    static __device__ __half from(u64 bits, double low, double high) {
        return __float2half(Draw<float>::from(bits, low, high));
    }
};
template <>
struct Draw<__nv_bfloat16> {
    static __device__ __nv_bfloat16 from(u64 bits, double low, double high) {
        return __float2bfloat16(Draw<float>::from(bits, low, high));
    }
};

template <typename T>
__global__ void fill(T* data, u64 count, u64 seed, double low, double high) {
    EACH(i, count) data[i] = Draw<T>::from(mixed(i, seed), low, high);
}

// --- comparison --------------------------------------------------------------------------------------------

struct Tally {
    u64 wrong, first, nans;
    double largest_error;
};

template <typename T>
__device__ double wide(T value) { return double(value); }
template <>
__device__ double wide(__half value) { return double(__half2float(value)); }
template <>
__device__ double wide(__nv_bfloat16 value) { return double(__bfloat162float(value)); }

template <typename T>
__device__ T narrow(double value) { return T(value); }
template <>
__device__ __half narrow(double value) { return __double2half(value); }
template <>
__device__ __nv_bfloat16 narrow(double value) { return __double2bfloat16(value); }

// An element is right only if it is shown to be; the rule is that of worker/oracle/compare.py and tolerance.py.
// allowed = share * size + own_step * |expected| + constant, where size is fixed_size if that is not negative.
template <typename T>
__global__ void compare_floats(const T* got, const double* expected, const double* magnitude, u64 count, double share,
                               double fixed_size, double own_step, double constant, Tally* tally) {
    EACH(i, count) {
        double value = wide(got[i]), wanted = expected[i];
        double size = fabs(wanted);
        double scale = fixed_size >= 0.0 ? fixed_size : magnitude ? fmax(size, fabs(magnitude[i])) : size;
        double error = fabs(value - wanted);
        bool near = isfinite(wanted) && error <= share * scale + own_step * size + constant;
        bool same = value == wide(narrow<T>(wanted)) || (isnan(value) && isnan(wanted));
        if (!near && !same) {
            atomicAdd(&tally->wrong, 1ull);
            atomicMin(&tally->first, i);
            if (isnan(value) && !isnan(wanted)) atomicAdd(&tally->nans, 1ull);
        }
        if (isfinite(error) && error > tally->largest_error) {
            atomicMax((u64*)&tally->largest_error, (u64)__double_as_longlong(error));
        }
    }
}

template <typename T>
__global__ void compare_integers(const T* got, const T* expected, u64 count, double share, double fixed_size,
                                 double constant, Tally* tally) {
    EACH(i, count) {
        double error = got[i] > expected[i] ? double(got[i]) - double(expected[i]) : double(expected[i]) - double(got[i]);
        double scale = fixed_size >= 0.0 ? fixed_size : fabs(double(expected[i]));
        if (got[i] != expected[i] && !(error <= share * scale + constant)) {
            atomicAdd(&tally->wrong, 1ull);
            atomicMin(&tally->first, i);
        }
        if (error > tally->largest_error) atomicMax((u64*)&tally->largest_error, (u64)__double_as_longlong(error));
    }
}

// Bytes that differ from a pattern of four, by their place in memory.
__global__ void compare_pattern(const unsigned char* data, u64 count, unsigned pattern, u64 start, u64* damaged) {
    EACH(i, count) {
        if (data[i] != (unsigned char)(pattern >> 8 * ((start + i) % 4))) atomicAdd(damaged, 1ull);
    }
}

template <typename W>
__global__ void compare_words(const W* got, const W* wanted, u64 words, u64* damaged) {
    EACH(i, words) {
        if (got[i] != wanted[i]) atomicAdd(damaged, 1ull);
    }
}

// --- the card itself ---------------------------------------------------------------------------------------

// Reading leaves L2 full of lines that nobody has to write back before the measured kernel may use it.
__global__ void read_all(const uint4* data, u64 vectors, unsigned* never) {
    unsigned sum = 0;
    EACH(i, vectors) {
        uint4 v = data[i];
        sum += v.x ^ v.y ^ v.z ^ v.w;
    }
    if (sum == 0x5EED5EEDu && vectors == 0) *never = sum;
}

__global__ void read_streaming(const uint4* data, u64 vectors, unsigned* never) {
    u64 i = blockIdx.x * 1024ull + threadIdx.x;
    uint4 v[4];
    unsigned sum = 0;
    for (int k = 0; k < 4; ++k) v[k] = i + k * 256 < vectors ? __ldcs(data + i + k * 256) : uint4{};
    for (int k = 0; k < 4; ++k) sum += v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
    if (sum == 0x5EED5EEDu) *never = sum;
}

__global__ void copy_streaming(const uint4* from, uint4* to, u64 vectors) {
    u64 i = blockIdx.x * 1024ull + threadIdx.x;
    uint4 v[4];
    for (int k = 0; k < 4; ++k) if (i + k * 256 < vectors) v[k] = __ldcs(from + i + k * 256);
    for (int k = 0; k < 4; ++k) if (i + k * 256 < vectors) __stcs(to + i + k * 256, v[k]);
}

__device__ float fused(float a, float b, float c) { return fmaf(a, b, c); }
__device__ double fused(double a, double b, double c) { return fma(a, b, c); }
__device__ __half2 fused(__half2 a, __half2 b, __half2 c) { return __hfma2(a, b, c); }

template <typename T>
__device__ void multiply_add(T* out, T factor, T start) {
    T sum[16];
    sum[0] = start;
    for (int k = 1; k < 16; ++k) sum[k] = fused(sum[k - 1], factor, start);  // equal sums would be made one
    for (int step = 0; step < 1024; ++step) {
#pragma unroll
        for (int k = 0; k < 16; ++k) sum[k] = fused(sum[k], factor, start);
    }
    T total = sum[0];
    for (int k = 1; k < 16; ++k) total = fused(total, factor, sum[k]);
    out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

extern "C" __global__ void fma_float(float* out) { multiply_add(out, 0.75f, 0.001f * threadIdx.x); }
extern "C" __global__ void fma_double(double* out) { multiply_add(out, 0.75, 0.001 * threadIdx.x); }
extern "C" __global__ void fma_half(__half2* out) {
    multiply_add(out, __float2half2_rn(0.75f), __float2half2_rn(0.001f * threadIdx.x));
}

// Matrix units, as fast as they go: the operands are random bits that stay where they are.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

__device__ u64 matrix_at(const void* shared) {
    u64 address = (u64)__cvta_generic_to_shared(shared);
    return (address & 0x3FFFF) >> 4 | 8ull << 16 | 64ull << 32 | 1ull << 62;
}

template <bool INT8>
__device__ void tensor(unsigned* out, const unsigned* seeds, int steps) {
    __shared__ __align__(1024) unsigned tile[10240];
    for (int i = threadIdx.x; i < 10240; i += blockDim.x) {
        unsigned bits = seeds[i % 1024] * 2654435761u ^ i * 747796405u;
        tile[i] = INT8 ? bits : (bits & 0x83FF83FFu) | 0x38003800u;
    }
    __syncthreads();
    asm volatile("fence.proxy.async;" ::: "memory");
    u64 a = matrix_at(tile), b = matrix_at(tile + 2048);
    unsigned d[64];
#pragma unroll
    for (int i = 0; i < 64; ++i) d[i] = 0;
#define R8(n) "+r"(d[n]), "+r"(d[n + 1]), "+r"(d[n + 2]), "+r"(d[n + 3]), "+r"(d[n + 4]), "+r"(d[n + 5]), "+r"(d[n + 6]), "+r"(d[n + 7])
#define ALL_64 R8(0), R8(8), R8(16), R8(24), R8(32), R8(40), R8(48), R8(56)
#define LIST_64 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
    "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "  \
    "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int step = 0; step < steps; ++step) {
        if (INT8) {
            asm volatile("wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 " LIST_64 ", %64, %65, 1;"
                         : ALL_64 : "l"(a), "l"(b));
        } else {
            asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " LIST_64 ", %64, %65, 1, 1, 1, 0, 0;"
                         : ALL_64 : "l"(a), "l"(b));
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    unsigned total = 0;
#pragma unroll
    for (int i = 0; i < 64; ++i) total ^= d[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

#elif __CUDA_ARCH__ >= 800

template <bool INT8>
__device__ void tensor(unsigned* out, const unsigned* seeds, int steps) {
    unsigned a[4], b[2], d[8][4] = {};
    for (int i = 0; i < 4; ++i) a[i] = seeds[(threadIdx.x * 4 + i) % 1024];
    for (int i = 0; i < 2; ++i) b[i] = seeds[(threadIdx.x * 2 + i + 512) % 1024];
    if (!INT8) {
        for (int i = 0; i < 4; ++i) a[i] = (a[i] & 0x83FF83FFu) | 0x38003800u;
        for (int i = 0; i < 2; ++i) b[i] = (b[i] & 0x83FF83FFu) | 0x38003800u;
    }
    for (int step = 0; step < steps; step += 8) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            if (INT8) {
                asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                             "{%0, %1, %2, %3};"
                             : "+r"(d[k][0]), "+r"(d[k][1]), "+r"(d[k][2]), "+r"(d[k][3])
                             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
            } else {
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                             "{%8, %9}, {%0, %1, %2, %3};"
                             : "+r"(d[k][0]), "+r"(d[k][1]), "+r"(d[k][2]), "+r"(d[k][3])
                             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
            }
        }
    }
    unsigned total = 0;
    for (int k = 0; k < 8; ++k) total ^= d[k][0] ^ d[k][1] ^ d[k][2] ^ d[k][3];
    out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

#else

template <bool INT8>
__device__ void tensor(unsigned* out, const unsigned* seeds, int steps) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = seeds[0];
}

#endif

extern "C" __global__ void __launch_bounds__(256) tensor_half(unsigned* out, const unsigned* seeds, int steps) {
    tensor<false>(out, seeds, steps);
}
extern "C" __global__ void __launch_bounds__(256) tensor_int8(unsigned* out, const unsigned* seeds, int steps) {
    tensor<true>(out, seeds, steps);
}
