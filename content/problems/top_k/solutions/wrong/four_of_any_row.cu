// verdict: memory_error
// Four numbers at a time whatever the length: other rows begin between two float4, and the last one ends inside of one.

//! launch top_k<<<ceil_div(rows, 8), 256>>>(x, values, index, rows, cols, k)

using Key = unsigned long long;
constexpr unsigned kAll = 0xffffffffu, kSign = 0x80000000u;
constexpr float kLowest = -3.402823466e+38f;

__device__ Key key_of(float value, int index) {
    unsigned bits = __float_as_uint(value);
    bits = bits & kSign ? ~bits : bits | kSign;
    return (Key)bits << 32 | ~unsigned(index);
}

__device__ float value_of(Key key) {
    unsigned bits = unsigned(key >> 32);
    return __uint_as_float(bits & kSign ? bits ^ kSign : ~bits);
}

__device__ float4 four_at(const float* from, int i, int cols) {
    return i < cols ? *reinterpret_cast<const float4*>(from + i) : make_float4(kLowest, kLowest, kLowest, kLowest);
}

// Takes one number of each lane into the list of the warp.
__device__ void insert(Key own, Key& mine, int lane, int k) {
    unsigned waiting = __ballot_sync(kAll, own > __shfl_sync(kAll, mine, k - 1));
    for (; waiting; waiting &= waiting - 1) {
        const Key added = __shfl_sync(kAll, own, __ffs(waiting) - 1);
        const int place = __popc(__ballot_sync(kAll, mine > added));
        const Key left = __shfl_up_sync(kAll, mine, 1);
        if (lane == place) mine = added;
        if (lane > place) mine = left;
    }
}

__global__ void __launch_bounds__(256) top_k(const float* __restrict__ x, float* __restrict__ values,
                                             int* __restrict__ index, int rows, int cols, int k) {
    const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float* from = x + (long long)row * cols;
    Key mine = 0;
    float least = kLowest;
    for (int start = 0; start < cols; start += 256) {
        const int first = start + 4 * lane, second = first + 128;
        const float4 a = four_at(from, first, cols), b = four_at(from, second, cols);
        const float top = fmaxf(fmaxf(fmaxf(a.x, a.y), fmaxf(a.z, a.w)), fmaxf(fmaxf(b.x, b.y), fmaxf(b.z, b.w)));
        if (!__any_sync(kAll, top >= least)) continue;
        const float numbers[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
        for (int p = 0; p < 8; ++p) {
            const int i = (p < 4 ? first : second - 4) + p;
            insert(i < cols ? key_of(numbers[p], i) : 0, mine, lane, k);
        }
        const Key last = __shfl_sync(kAll, mine, k - 1);
        least = last ? value_of(last) : kLowest;  // 0: fewer than k have come so far
    }
    if (lane < k) {
        values[(long long)row * k + lane] = value_of(mine);
        index[(long long)row * k + lane] = int(~unsigned(mine));
    }
}
