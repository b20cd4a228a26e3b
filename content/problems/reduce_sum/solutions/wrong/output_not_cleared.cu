// verdict: uninitialized
// atomicAdd adds to what is there, and nobody put a zero there: outputs start with garbage.

//! launch reduce_sum<<<ceil_div(n, 256), 256>>>(x, out, n)

__global__ void reduce_sum(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(out, x[i]);
    }
}
