// expect: wrong leetgpu
__global__ void add(const float* A, const float* B, float* C, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    int blocks = ceil(N / 256);   // whole numbers: the last block is lost
    add<<<blocks, 256>>>(A, B, C, N);
}
