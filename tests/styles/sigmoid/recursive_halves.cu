// A range cut in halves by recursion down to one element.
//! launch sigmoid<<<ceil_div(n, 1024), 64>>>(x, y, n)
__device__ void cut(const float* x, float* y, int from, int to) {
    if (to - from < 1) return;
    if (to - from == 1) {
        y[from] = 1.0f / (1.0f + expf(-x[from]));
        return;
    }
    int middle = from + (to - from) / 2;
    cut(x, y, from, middle);
    cut(x, y, middle, to);
}
__global__ void sigmoid(const float* x, float* y, int n) {
    int from = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
    cut(x, y, min(from, n), min(from + 16, n));
}
