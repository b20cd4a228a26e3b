// verdict: memory_error
// Four numbers are written for every block, also where fewer than four are left.

//! launch philox_uniform<<<ceil_div(n, 1024), 256>>>(key, y, n, offset)

__global__ void __launch_bounds__(256) philox_uniform(const unsigned* __restrict__ key, float* __restrict__ y, int n,
                                                      long long offset) {
    const int first = (blockIdx.x * 256 + threadIdx.x) * 4;
    if (first >= n) return;
    const unsigned long long block = offset + first / 4;
    unsigned c0 = unsigned(block), c1 = unsigned(block >> 32), c2 = 0, c3 = 0;
    unsigned k0 = key[0], k1 = key[1];
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const unsigned long long one = 0xD2511F53ull * c0, other = 0xCD9E8D57ull * c2;
        c0 = unsigned(other >> 32) ^ c1 ^ k0;
        c1 = unsigned(other);
        c2 = unsigned(one >> 32) ^ c3 ^ k1;
        c3 = unsigned(one);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    const float4 four = make_float4((c0 >> 8) * 0x1p-24f, (c1 >> 8) * 0x1p-24f, (c2 >> 8) * 0x1p-24f, (c3 >> 8) * 0x1p-24f);
    *reinterpret_cast<float4*>(y + first) = four;
}
