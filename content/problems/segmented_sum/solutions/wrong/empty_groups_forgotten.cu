// verdict: wrong_answer
// The first number of each group adds it up. An empty group has no first number, and nobody writes its 0.

//! launch segmented_sum<<<ceil_div(n, 256), 256>>>(x, segment, out, n)

__global__ void segmented_sum(const float* x, const int* segment, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || (i > 0 && segment[i - 1] == segment[i])) return;
    float sum = 0.0f;
    for (int k = i; k < n && segment[k] == segment[i]; ++k) sum += x[k];
    out[segment[i]] = sum;
}
