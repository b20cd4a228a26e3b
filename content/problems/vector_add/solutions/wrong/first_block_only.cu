// verdict: wrong_answer
// threadIdx counts within one block. Launched with one block this looks right up to 256 elements and leaves
// everything behind them unwritten.

//! launch vector_add<<<1, 256>>>(a, b, c, n)

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
