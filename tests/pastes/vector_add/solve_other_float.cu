// expect: told type
__global__ void add(const double* A, const double* B, double* C, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) C[i] = A[i] + B[i];
}
extern "C" void solve(const double* A, const double* B, double* C, int N) {
    add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
