// cp.async in PTX, four bytes a thread, commit and wait.
__device__ void fetch(float* to, const float* from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
}
__global__ void transpose(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][33];
    int col = blockIdx.x * 32 + threadIdx.x, row0 = blockIdx.y * 32;
    for (int k = threadIdx.y; k < 32; k += 8)
        if (row0 + k < rows && col < cols) fetch(&tile[k][threadIdx.x], x + (size_t)(row0 + k) * cols + col);
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    int row = row0 + threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8)
        if (blockIdx.x * 32 + k < cols && row < rows) y[(size_t)(blockIdx.x * 32 + k) * rows + row] = tile[threadIdx.x][k];
}
