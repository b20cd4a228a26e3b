// expect: told branch
__global__ void halve(float* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) data[i] += data[n - 1 - i];
}
extern "C" void solve(const float* input, float* output, int N) {
    while (N > 1) {
        halve<<<(N + 255) / 256, 256>>>((float*)input, N);
        N = (N + 1) / 2;
    }
}
