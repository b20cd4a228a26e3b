// expect: accepted none
// started as add<<<(n + 255) / 256, 256>>>(a, b, c, n), int main() { add<<<1, 1>>>(); }
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    const char* unused = "kernel<<<1, 1>>>(); int main() {";
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
