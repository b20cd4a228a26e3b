// expect: told sizes
__global__ void histogram_kernel(const int* input, int* histogram, int N, int num_bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) atomicAdd(&histogram[input[i]], 1);
}
extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    histogram_kernel<<<(N + 255) / 256, 256>>>(input, histogram, N, num_bins);
}
