// expect: told too-large
__global__ void sigmoid(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 1.0f / (1.0f + expf(-x[i]));
}
extern "C" void solve(const float* x, float* y, int n) {
    int bits = n * 64;
    sigmoid<<<(bits / 64 + 255) / 256, 256>>>(x, y, n);
}
