// Through a tile in shared memory: coalesced on both sides.
//
// Idea: read 32 x 32 elements along rows of x, turn them in shared memory, write them along rows of y.
// Cost: 8 bytes per element through device memory, the same once more through shared memory, one barrier.
// Why 33 columns: element (i, j) of the tile lies in bank (33 i + j) % 32 = (i + j) % 32, so a row and a column both
// spread over all 32 banks. With 32 columns a column would lie in one bank and be read 32 times slower.

__global__ void __launch_bounds__(256) transpose(const float* __restrict__ x, float* __restrict__ y, int rows, int cols) {
    __shared__ float tile[32][33];
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int k = 0; k < 32; k += 8) {
        if (row + k < rows && col < cols) {
            tile[threadIdx.y + k][threadIdx.x] = x[(long long)(row + k) * cols + col];
        }
    }
    __syncthreads();
    // Now x runs along the rows of the input, which are the columns of the output.
    row = blockIdx.y * 32 + threadIdx.x;
    col = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int k = 0; k < 32; k += 8) {
        if (row < rows && col + k < cols) {
            y[(long long)(col + k) * rows + row] = tile[threadIdx.x][threadIdx.y + k];
        }
    }
}
