__global__ void inclusive_scan(const int* x, int* y, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, carry = 0;
    for (int start = 0; start < n; start += 256) {
        int i = start + t;
        int value = i < n ? x[i] : 0;
        s[t] = value;
        __syncthreads();
        for (int d = 1; d < 256; d *= 2) {
            int other = t >= d ? s[t - d] : 0;
            __syncthreads();
            s[t] += other;
            __syncthreads();
        }
        if (i < n)
            y[i] = carry + s[t];
        carry += s[255];
        __syncthreads();
    }
}
