// problem: sigmoid
// cited: 38 40
// allowed: wrong_answer
// The middle of every sigmoid.
__global__ void sigmoid(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 0.5f;
}
