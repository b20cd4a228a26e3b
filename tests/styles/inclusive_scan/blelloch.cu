// Up-sweep and down-sweep in dynamic shared memory with padding against bank conflicts.
//! launch inclusive_scan<<<1, 128, 4*(256 + 8)>>>(x, y, n)
#define AT(i) ((i) + ((i) >> 5))
__global__ void inclusive_scan(const int* x, int* y, int n) {
    extern __shared__ int s[];
    int t = threadIdx.x, carry = 0;
    for (int start = 0; start < n; start += 256) {
        for (int k = t; k < 256; k += 128) s[AT(k)] = start + k < n ? x[start + k] : 0;
        int offset = 1;
        for (int d = 128; d > 0; d >>= 1, offset *= 2) {
            __syncthreads();
            if (t < d) s[AT(offset * (2 * t + 2) - 1)] += s[AT(offset * (2 * t + 1) - 1)];
        }
        __syncthreads();
        int total = s[AT(255)];
        __syncthreads();
        if (t == 0) s[AT(255)] = 0;
        for (int d = 1; d < 256; d *= 2) {
            offset >>= 1;
            __syncthreads();
            if (t < d) {
                int a = AT(offset * (2 * t + 1) - 1), b = AT(offset * (2 * t + 2) - 1), old = s[a];
                s[a] = s[b];
                s[b] += old;
            }
        }
        __syncthreads();
        for (int k = t; k < 256; k += 128)
            if (start + k < n) y[start + k] = s[AT(k)] + x[start + k] + carry;
        carry += total;
        __syncthreads();
    }
}
