//! scratch lock int 1 zero
//! scratch total float 1 zero
//! launch add_parts<<<4, 64>>>(x, total, lock, n)
//! launch store<<<1, 1>>>(total, out)
// A lock by compare-and-swap protects the sum; one thread of each block takes it.
__global__ void add_parts(const float* x, float* total, int* lock, int n) {
    __shared__ float s[64];
    float v = 0;
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 256) v += x[i];
    s[threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int k = 1; k < 64; ++k) v += s[k];
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *(volatile float*)total = *(volatile float*)total + v;
    __threadfence();
    atomicExch(lock, 0);
}
__global__ void store(const float* total, float* out) { *out = *total; }
