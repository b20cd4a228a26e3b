// expect: told which-size
__global__ void turn(const float* in, float* out, int N, int M) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < N && y < M) out[x * M + y] = in[y * N + x];
}
extern "C" void solve(const float* in, float* out, int N, int M) {
    turn<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(in, out, N, M);
}
