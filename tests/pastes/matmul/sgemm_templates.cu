// expect: accepted host
#include <cassert>
template <typename T> __host__ __device__ constexpr T ceil_div(T a, T b) { return (a + b - 1) / b; }
template <const int TILE>
__global__ void sgemm_tiled(int M, int N, int K, const float* A, const float* B, float* C) {
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int at = 0; at < K; at += TILE) {
        left[threadIdx.y][threadIdx.x] = row < M && at + threadIdx.x < K ? A[row * K + at + threadIdx.x] : 0.0f;
        right[threadIdx.y][threadIdx.x] = col < N && at + threadIdx.y < K ? B[(at + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();
        for (int p = 0; p < TILE; p++) sum += left[threadIdx.y][p] * right[p][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
void run_sgemm(int M, int N, int K, const float* A, const float* B, float* C) {
    const int TILE = 16;
    sgemm_tiled<TILE><<<dim3(ceil_div(N, TILE), ceil_div(M, TILE)), dim3(TILE, TILE)>>>(M, N, K, A, B, C);
}
