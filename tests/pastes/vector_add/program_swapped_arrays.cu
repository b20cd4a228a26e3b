// expect: told order
__global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
int main() {
    int n = 1 << 20;
    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, n * 4); cudaMalloc(&d_b, n * 4); cudaMalloc(&d_c, n * 4);
    add<<<(n + 255) / 256, 256>>>(d_b, d_a, d_c, n);
}
