// A structure of arrays in shared memory, seen through references.
struct Tile {
    float u[256];
    float v[256];
};
__device__ void put(Tile& tile, int t, float u, float v) { tile.u[t] = u, tile.v[t] = v; }
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    __shared__ Tile tile;
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    put(tile, t, i < n ? a[i] : 0, i < n ? b[i] : 0);
    __syncthreads();
    if (i < n) c[i] = tile.u[t] + tile.v[t];
}
