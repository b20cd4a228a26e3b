// verdict: compile_error
// A parameter of a kernel may be written float x[], but not float x[rows][cols] with sizes that the compiler cannot
// know, as sketches on web pages do.

__global__ void sigmoid(const float x[n][1], float y[n][1], int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i][0] = 1.0f / (1.0f + expf(-x[i][0]));
    }
}
