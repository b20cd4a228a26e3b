// One pass: pairs of maximum and sum are joined as structures, by value.
struct Pair {
    float top, sum;
};
__device__ Pair joined(Pair a, Pair b) {
    float top = fmaxf(a.top, b.top);
    return {top, a.sum * expf(a.top - top) + b.sum * expf(b.top - top)};
}
__global__ void softmax(const float* x, float* y, int rows, int cols) {
    __shared__ Pair s[256];
    const float* from = x + (size_t)blockIdx.x * cols;
    Pair mine = {-3.0e38f, 0.0f};
    for (int j = threadIdx.x; j < cols; j += blockDim.x) mine = joined(mine, {from[j], 1.0f});
    s[threadIdx.x] = mine;
    for (int h = 128; h > 0; h >>= 1) {
        __syncthreads();
        if (threadIdx.x < h) s[threadIdx.x] = joined(s[threadIdx.x], s[threadIdx.x + h]);
    }
    __syncthreads();
    Pair all = s[0];
    for (int j = threadIdx.x; j < cols; j += blockDim.x) y[(size_t)blockIdx.x * cols + j] = expf(from[j] - all.top) / all.sum;
}
