// Structures with padding and with members that are set later, copied whole, kept in an array.
struct Sample {
    char kind;
    float value;
    short note;
};
__device__ Sample joined(Sample u, Sample v) {
    Sample w = u;
    w.value += v.value;
    return w;
}
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Sample both[2];
    both[0].value = a[i];
    both[1].value = b[i];
    Sample w = joined(both[0], both[1]);
    c[i] = w.value;
}
