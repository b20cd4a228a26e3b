// verdict: uninitialized
// Counts on top of whatever the output held before.

//! launch histogram<<<ceil_div(n, 256), 256>>>(x, counts, n)

__global__ void histogram(const int* x, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&counts[x[i]], 1);
    }
}
