// SAXPY with a stride: y[i * stride] = alpha * x[i * stride] + y[i * stride] for every i < n.
//
// Started as saxpy_strided<<<ceil_div(n, 256), 256>>>(alpha, x, y, n, stride). As it stands it is right for stride 1
// only: all positions but the first are wrong otherwise.

__global__ void saxpy_strided(float alpha, const float* x, float* y, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int position = i;  // fill in: where element i stands
        y[position] = alpha * x[position] + y[position];
    }
}
