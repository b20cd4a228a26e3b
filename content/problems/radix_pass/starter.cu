// One pass of a radix sort: keys in the order of the four bits from `shift` on, equal digits in their old order.
//
// Started as radix_pass<<<1, 256>>>(keys, sorted, n, shift). The keys of each digit are counted, and first[d] says where
// those of digit d begin. What is missing is the place of a key among the keys of its own digit.

__global__ void radix_pass(const unsigned* keys, unsigned* sorted, int n, int shift) {
    __shared__ int counts[16], first[16];
    if (threadIdx.x < 16) counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 256) atomicAdd(&counts[keys[i] >> shift & 15], 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        int before = 0;
        for (int d = 0; d < 16; ++d) {
            first[d] = before;
            before += counts[d];
        }
    }
    __syncthreads();

    for (int start = 0; start < n; start += 256) {
        int i = start + threadIdx.x;
        // fill in: how many earlier keys have the digit of keys[i]? sorted[first[digit] + that] = keys[i]
        if (i < n) sorted[i] = keys[i];
    }
}
