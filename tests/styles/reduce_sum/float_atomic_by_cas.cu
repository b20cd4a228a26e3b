//! scratch sum unsigned 1 zero
//! launch add<<<ceil_div(n, 128), 128>>>(x, sum, n)
//! launch give<<<1, 1>>>(sum, out)
// Atomic addition of floats by compare-and-swap, one a warp.
__device__ void add_float(unsigned* to, float v) {
    unsigned seen = *(volatile unsigned*)to, assumed;
    do {
        assumed = seen;
        seen = atomicCAS(to, assumed, __float_as_uint(__uint_as_float(assumed) + v));
    } while (assumed != seen);
}
__global__ void add(const float* x, unsigned* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if ((threadIdx.x & 31) == 0) add_float(sum, v);
}
__global__ void give(const unsigned* sum, float* out) { *out = __uint_as_float(*sum); }
