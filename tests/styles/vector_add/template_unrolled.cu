//! launch add<4, 128><<<ceil_div(n, 512), 128>>>(a, b, c, n)
// A template over the elements of a thread.
template <int kEach, int kBlock>
__global__ void __launch_bounds__(kBlock) add(const float* __restrict__ a, const float* __restrict__ b,
                                              float* __restrict__ c, int n) {
    int first = blockIdx.x * kBlock * kEach + threadIdx.x;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        int i = first + k * kBlock;
        if (i < n) c[i] = a[i] + b[i];
    }
}
