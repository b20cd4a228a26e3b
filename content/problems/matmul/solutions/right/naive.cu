// One thread, one element of C.
//
// Idea: thread (row, col) computes one dot product, straight from device memory.
// Cost: 2 k loads for 2 k operations: one load per operation, while the card can do some 50 float operations in the
// time of one load that misses every cache. The caches save it from being fifty times too slow.
// Why x runs along the columns: the 32 threads of a warp then share one element of A (a broadcast) and read 32
// neighbours of B (one 128-byte line). With x along the rows each of them would touch a line of its own.

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int p = 0; p < k; ++p) {
            sum += a[(long long)row * k + p] * b[(long long)p * n + col];
        }
        c[(long long)row * n + col] = sum;
    }
}
