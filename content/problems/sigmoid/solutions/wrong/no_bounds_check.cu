// verdict: memory_error
// The threads past the end have no element.

__global__ void sigmoid(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 1.0f / (1.0f + expf(-x[i]));
}
