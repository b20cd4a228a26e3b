// Vector addition: c[i] = a[i] + b[i] for every i < n.
//
// Started as vector_add<<<ceil_div(n, 256), 256>>>(a, b, c, n): at least n threads, usually a few more.
// As it stands every thread writes zero. Compute this thread's index among all threads of the grid, leave the
// threads that are too many alone, and store the sum.

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = 0;  // fill in: this thread's index, from blockIdx.x, blockDim.x and threadIdx.x
    if (i < n) {
        c[i] = 0.0f;  // fill in: the sum
    }
}
