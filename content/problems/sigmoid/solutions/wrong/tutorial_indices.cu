// verdict: wrong_answer
// threadIdx.x alone is the place within a block: every block computes the first 256 elements again (all write the
// same values) and nobody the rest. Launched with one block here, so that only the missing elements tell.

//! launch sigmoid<<<1, min(n, 256)>>>(x, y, n)

__global__ void sigmoid(const float* x, float* y, int n) {
    int i = threadIdx.x;
    y[i] = 1.0f / (1.0f + expf(-x[i]));
}
