// expect: accepted leetgpu
#include <cfloat>
__global__ void softmax_kernel(const float* input, float* output, int rows, int cols) {
    extern __shared__ float scratch[];
    const float* x = input + (size_t)blockIdx.x * cols;
    float top = -FLT_MAX;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) top = fmaxf(top, x[i]);
    scratch[threadIdx.x] = top;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) scratch[threadIdx.x] = fmaxf(scratch[threadIdx.x], scratch[threadIdx.x + s]);
        __syncthreads();
    }
    top = scratch[0];
    __syncthreads();
    float sum = 0.0f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) sum += expf(x[i] - top);
    scratch[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) scratch[threadIdx.x] += scratch[threadIdx.x + s];
        __syncthreads();
    }
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        output[(size_t)blockIdx.x * cols + i] = expf(x[i] - top) / scratch[0];
}
static inline size_t bytes_for(int threads) { return threads * sizeof(float); }
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    constexpr int threads = 128;
    softmax_kernel<<<rows, threads, bytes_for(threads)>>>(input, output, rows, cols);
}
