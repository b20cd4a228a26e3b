// expect: told branch
__global__ void add(const float* A, const float* B, float* C, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    for (int start = 0; start < N; start += 1024)
        add<<<4, 256>>>(A + start, B + start, C + start, N - start);
}
