//! scratch total float 1 zero
//! launch add<<<8, 64>>>(x, total, n)
//! launch give<<<1, 1>>>(total, out)
// atomicAdd of one thread a warp by __activemask and a leader.
__global__ void add(const float* x, float* total, int n) {
    float v = 0;
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 512) v += x[i];
    const unsigned active = __activemask();
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(active, v, d);
    if ((int)(threadIdx.x & 31) == __ffs(active) - 1) atomicAdd_system(total, v);
}
__global__ void give(const float* total, float* out) { out[0] = total[0]; }
