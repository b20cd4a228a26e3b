// problem: vector_add
// cited: 56
// allowed: out_of_memory launch_error timeout memory_error accepted
// best score: 0.5
// A quarter of a megabyte of local memory a thread, 70 GB for all that can be resident: refused, or merely slow.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile float pile[64000];
    for (int k = 0; k < 64000; k += 15991) pile[(k + i) % 64000] = a[i % n] + k;
    if (i < n) c[i] = a[i] + b[i] + 0 * pile[i % 64000];
}
