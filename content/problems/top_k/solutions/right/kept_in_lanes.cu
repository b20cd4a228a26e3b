// A warp for each row; its lanes hold the largest so far, in order.
//
// Idea: number and place make one 64-bit key, of which no two are equal. Lane j keeps the j-th largest key; a new one takes its
// place, and the lanes behind it move on by one.
// Cost: 4 bytes per element, read once; about k ln(cols / k) insertions a row when the numbers come in random order.
// Why the place is inverted in the key: of equal numbers the one further left has to be the larger key.

//! launch top_k<<<ceil_div(rows, 8), 256>>>(x, values, index, rows, cols, k)

using Key = unsigned long long;
constexpr unsigned kAll = 0xffffffffu, kSign = 0x80000000u;

// Unsigned integers in the order of the floats: of negative ones all bits are turned, of the others the sign.
__device__ Key key_of(float value, int index) {
    unsigned bits = __float_as_uint(value);
    bits = bits & kSign ? ~bits : bits | kSign;
    return (Key)bits << 32 | ~unsigned(index);
}

__device__ float value_of(Key key) {
    unsigned bits = unsigned(key >> 32);
    return __uint_as_float(bits & kSign ? bits ^ kSign : ~bits);
}

__global__ void __launch_bounds__(256) top_k(const float* x, float* values, int* index, int rows, int cols, int k) {
    const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float* from = x + (long long)row * cols;
    Key mine = 0;  // smaller than the key of any number
    for (int start = 0; start < cols; start += 32) {
        const int i = start + lane;
        const Key own = i < cols ? key_of(from[i], i) : 0;
        unsigned waiting = __ballot_sync(kAll, own > __shfl_sync(kAll, mine, k - 1));
        for (; waiting; waiting &= waiting - 1) {
            const Key added = __shfl_sync(kAll, own, __ffs(waiting) - 1);
            const int place = __popc(__ballot_sync(kAll, mine > added));
            const Key left = __shfl_up_sync(kAll, mine, 1);
            if (lane == place) mine = added;
            if (lane > place) mine = left;
        }
    }
    if (lane < k) {
        values[(long long)row * k + lane] = value_of(mine);
        index[(long long)row * k + lane] = int(~unsigned(mine));
    }
}
