// problem: vector_add
// cited: 56
// allowed: out_of_memory launch_error timeout memory_error
// Half a megabyte of local memory a thread: more than the card has, for all that could be resident.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile float pile[120000];
    for (int k = 0; k < 120000; k += 997) pile[(k + i) % 120000] = a[i % n] + k;
    if (i < n) c[i] = a[i] + b[i] + 0 * pile[(i * 31) % 120000];
}
