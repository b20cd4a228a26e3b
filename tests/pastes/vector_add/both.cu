// expect: accepted leetgpu
//! launch add<<<ceil_div(n, 128), 128>>>(a, b, c, n)
__global__ void add(const float* A, const float* B, float* C, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    for (int i = 0; i < 3; i++) add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
