// Random numbers with Philox4x32-10: y[i] comes from word i % 4 of block offset + i / 4.
//
// Started as philox_uniform<<<ceil_div(n, 256), 256>>>(key, y, n, offset), one thread for each number. As it stands the counter
// goes out unmixed.

__global__ void philox_uniform(const unsigned* key, float* y, int n, long long offset) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    const unsigned long long block = offset + i / 4;
    unsigned c0 = unsigned(block), c1 = unsigned(block >> 32), c2 = 0, c3 = 0;
    unsigned k0 = key[0], k1 = key[1];

    // fill in: ten rounds; __umulhi(a, b) gives the upper 32 bits of a product, a * b the lower ones

    const int which = i % 4;
    const unsigned word = which == 0 ? c0 : which == 1 ? c1 : which == 2 ? c2 : c3;
    y[i] = (word >> 8) * 0x1p-24f;
}
