//! scratch sums int ceil_div(n, 128)
//! launch scan_tiles<128><<<ceil_div(n, 128), 128>>>(x, y, sums, n)
//! launch scan_sums<<<1, 1>>>(sums, ceil_div(n, 128))
//! launch add_before<128><<<ceil_div(n, 128), 128>>>(y, sums, n)
// Tiles, their sums, and the sums added.
template <int kTile>
__global__ void scan_tiles(const int* x, int* y, int* sums, int n) {
    __shared__ int s[2][kTile];
    int i = blockIdx.x * kTile + threadIdx.x, at = 0;
    s[0][threadIdx.x] = i < n ? x[i] : 0;
    for (int d = 1; d < kTile; d *= 2, at ^= 1) {
        __syncthreads();
        s[at ^ 1][threadIdx.x] = s[at][threadIdx.x] + (threadIdx.x >= d ? s[at][threadIdx.x - d] : 0);
    }
    if (i < n) y[i] = s[at][threadIdx.x];
    if (threadIdx.x == kTile - 1) sums[blockIdx.x] = s[at][threadIdx.x];
}
__global__ void scan_sums(int* sums, int tiles) {
    for (int k = 1; k < tiles; ++k) sums[k] += sums[k - 1];
}
template <int kTile>
__global__ void add_before(int* y, const int* sums, int n) {
    int i = blockIdx.x * kTile + threadIdx.x;
    if (blockIdx.x > 0 && i < n) y[i] += sums[blockIdx.x - 1];
}
