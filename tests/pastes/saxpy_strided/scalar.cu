// expect: accepted host
__global__ void saxpy(int n, float a, const float* x, float* y, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[(size_t)i * stride] = a * x[(size_t)i * stride] + y[(size_t)i * stride];
}
void launch_saxpy(int n, float a, const float* x, float* y, int stride) {
    int threads = 256;
    saxpy<<<(n + threads - 1) / threads, threads>>>(n, a, x, y, stride);
}
