//! scratch top int rows zero
//! scratch sum float rows zero
//! launch find<<<dim3(rows, ceil_div(cols, 128)), 128>>>(x, top, cols)
//! launch add<<<dim3(rows, ceil_div(cols, 128)), 128>>>(x, top, sum, cols)
//! launch divide<<<dim3(rows, ceil_div(cols, 128)), 128>>>(x, top, sum, y, cols)
// Maximum by atomicMax over an ordering of float bits, the sum by atomicAdd.
// Keys grow with the float and are kept negated, so that zero is above all of them.
__device__ unsigned key_of(float v) {
    unsigned bits = __float_as_uint(v);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
__global__ void find(const float* x, int* top, int cols) {
    int j = blockIdx.y * 128 + threadIdx.x;
    if (j < cols) atomicMin(&top[blockIdx.x], -1 - (int)(key_of(x[blockIdx.x * cols + j]) >> 1));
}
__device__ float top_of(int kept) {
    unsigned key = (unsigned)(-1 - kept) << 1;
    return __uint_as_float(key & 0x80000000u ? key & 0x7fffffffu : ~key);
}
__global__ void add(const float* x, const int* top, float* sum, int cols) {
    int j = blockIdx.y * 128 + threadIdx.x;
    if (j < cols) atomicAdd(sum + blockIdx.x, expf(x[blockIdx.x * cols + j] - top_of(top[blockIdx.x])));
}
__global__ void divide(const float* x, const int* top, const float* sum, float* y, int cols) {
    int j = blockIdx.y * 128 + threadIdx.x;
    if (j < cols) y[blockIdx.x * cols + j] = expf(x[blockIdx.x * cols + j] - top_of(top[blockIdx.x])) / sum[blockIdx.x];
}
