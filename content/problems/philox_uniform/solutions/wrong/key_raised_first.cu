// verdict: wrong_answer
// The key moves on before it is used: the first round takes the key of the second one.

__global__ void philox_uniform(const unsigned* key, float* y, int n, long long offset) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    const unsigned long long block = offset + i / 4;
    unsigned c0 = unsigned(block), c1 = unsigned(block >> 32), c2 = 0, c3 = 0;
    unsigned k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; ++round) {
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
        const unsigned high0 = __umulhi(0xD2511F53u, c0), low0 = 0xD2511F53u * c0;
        const unsigned high1 = __umulhi(0xCD9E8D57u, c2), low1 = 0xCD9E8D57u * c2;
        c0 = high1 ^ c1 ^ k0;
        c1 = low1;
        c2 = high0 ^ c3 ^ k1;
        c3 = low0;
    }
    const int which = i % 4;
    const unsigned word = which == 0 ? c0 : which == 1 ? c1 : which == 2 ? c2 : c3;
    y[i] = (word >> 8) * 0x1p-24f;
}
