// verdict: wrong_answer
// exp(x) is infinite from x = 89 on, and infinity / infinity is not a number.

__global__ void sigmoid(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float e = expf(x[i]);
        y[i] = e / (1.0f + e);
    }
}
