// An index packed into bit fields.
struct Place {
    unsigned lane : 5;
    unsigned warp : 11;
    unsigned block : 16;
};
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    Place p;
    p.lane = threadIdx.x;
    p.warp = threadIdx.x / 32;
    p.block = blockIdx.x;
    unsigned i = p.block * blockDim.x + p.warp * 32 + p.lane;
    if (i < n) c[i] = a[i] + b[i];
}
