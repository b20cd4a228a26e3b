// goto for a loop, conditions in a chain.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
again:
    if (i >= n) goto done;
    c[i] = i % 3 == 0 ? a[i] + b[i] : i % 3 == 1 ? b[i] + a[i] : i & 1 ? a[i] - -b[i] : b[i] - -a[i];
    i += step;
    goto again;
done:;
}
