// expect: told sizes
__global__ void matrix_add(const float* A, const float* B, float* C, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N * N) C[i] = A[i] + B[i];
}
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    matrix_add<<<(N * N + 255) / 256, 256>>>(A, B, C, N);
}
