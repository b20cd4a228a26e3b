// verdict: launch_error
// A block holds at most 1024 threads. The launch is refused and the kernel never runs; a program that does not
// look at the error code reads whatever was in c before.

//! launch vector_add<<<ceil_div(n, 2048), 2048>>>(a, b, c, n)

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
