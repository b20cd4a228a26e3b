// Expected values of philox_uniform: each thread calculates the block of four that its number comes from.
//! launch expect_uniform<<<ceil_div(n, 256), 256>>>(key, expected_y, n, offset)

__global__ void expect_uniform(const unsigned* key, double* expected, long long n, long long offset) {
    const long long i = blockIdx.x * 256LL + threadIdx.x;
    if (i >= n) return;
    const unsigned long long block = offset + i / 4;
    unsigned long long word[4] = {block & 0xffffffffu, block >> 32, 0, 0};
    for (int round = 0; round < 10; ++round) {
        const unsigned first = key[0] + round * 0x9E3779B9u, second = key[1] + round * 0xBB67AE85u;
        const unsigned long long one = word[0] * 0xD2511F53ull, other = word[2] * 0xCD9E8D57ull;
        word[0] = (other >> 32) ^ word[1] ^ first;
        word[1] = other & 0xffffffffu;
        word[2] = (one >> 32) ^ word[3] ^ second;
        word[3] = one & 0xffffffffu;
    }
    expected[i] = double(word[i % 4] >> 8) / 16777216.0;
}
