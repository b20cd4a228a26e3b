// expect: race host
template <int TILE>
__global__ void sgemm_tiled(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int at = 0; at < K; at += TILE) {
        left[threadIdx.y][threadIdx.x] = row < M && at + threadIdx.x < K ? A[row * K + at + threadIdx.x] : 0.0f;
        right[threadIdx.y][threadIdx.x] = col < N && at + threadIdx.y < K ? B[(at + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();
        for (int p = 0; p < TILE; p++) sum += left[threadIdx.y][p] * right[p][threadIdx.x];
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
void launch(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 grid((N - 1) / 16 + 1, (M - 1) / 16 + 1), block(16, 16);
    sgemm_tiled<16><<<grid, block>>>(A, B, C, M, N, K);
}
