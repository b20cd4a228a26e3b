// problem: vector_add
// cited: 56
// allowed: timeout
// Never ends, on every multiprocessor.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    while (((volatile const float*)a)[0] > -1e30f) {}
    c[0] = a[0] + b[0];
}
