// Hillis and Steele with two buffers in shared memory, swapped by pointers.
__global__ void inclusive_scan(const int* x, int* y, int n) {
    __shared__ int one[256], two[256];
    int *from = one, *to = two, t = threadIdx.x, carry = 0;
    for (int start = 0; start < n; start += 256) {
        from[t] = start + t < n ? x[start + t] : 0;
        __syncthreads();
        for (int d = 1; d < 256; d *= 2) {
            to[t] = t >= d ? from[t] + from[t - d] : from[t];
            __syncthreads();
            int* other = from;
            from = to, to = other;
        }
        if (start + t < n) y[start + t] = from[t] + carry;
        carry += from[255];
        __syncthreads();
    }
}
