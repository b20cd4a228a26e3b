// One warp with compensated sums.
//! launch reduce_sum<<<1, 32>>>(x, out, n)
__global__ void reduce_sum(const float* x, float* out, int n) {
    float sum = 0, lost = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        float y = __fsub_rn(x[i], lost), t = __fadd_rn(sum, y);
        lost = __fsub_rn(__fsub_rn(t, sum), y);
        sum = t;
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0) out[0] = sum;
}
