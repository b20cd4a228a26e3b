// A grid of fixed size that walks over the array.
//
// Idea: launch as many threads as the card holds and let each take every (threads)-th element.
// Cost: the same bytes as one thread per element; the index arithmetic and the loop are free beside them.
// Why: the launch no longer depends on n, a thread can keep something between elements (a partial sum, say), and
// the loop bound doubles as the bounds check. This form is the one to start a reduction from.

//! launch vector_add<<<min(ceil_div(n, 256), 1056), 256>>>(a, b, c, n)

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    // 64-bit: i + stride may pass 2^31 in the last step although n itself fits an int.
    long long stride = (long long)gridDim.x * blockDim.x;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        c[i] = a[i] + b[i];
    }
}
