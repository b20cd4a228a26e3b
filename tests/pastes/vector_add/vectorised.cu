// expect: accepted leetgpu
__global__ void add4(const float4* a, const float4* b, float4* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) c[i] = make_float4(a[i].x + b[i].x, a[i].y + b[i].y, a[i].z + b[i].z, a[i].w + b[i].w);
}
__global__ void tail(const float* a, const float* b, float* c, int n) {
    int i = n / 4 * 4 + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    add4<<<CEIL_DIV(N / 4 + 1, 256), 256>>>((const float4*)A, reinterpret_cast<const float4*>(B), (float4*)C, N);
    tail<<<1, 4>>>(A, B, C, N);
}
