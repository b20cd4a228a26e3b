// expect: accepted leetgpu
__global__ void turn(const float* idata, float* odata, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) odata[(size_t)x * height + y] = idata[(size_t)y * width + x];
}
extern "C" void solve(const float* idata, float* odata, int width, int height) {
    dim3 block(16, 16);
    turn<<<dim3((width + 15) / 16, (height + 15) / 16), block>>>(idata, odata, width, height);
}
