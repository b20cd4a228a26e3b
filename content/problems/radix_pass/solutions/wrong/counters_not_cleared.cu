// verdict: memory_error
// Scratch memory begins with garbage, the counts are added to it, and the places come out far outside of the array.

//! scratch next int 16
//! launch count<<<ceil_div(n, 256), 256>>>(keys, next, n, shift)
//! launch radix_pass<<<1, 1>>>(keys, sorted, next, n, shift)

__global__ void count(const unsigned* keys, int* next, int n, int shift) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) atomicAdd(&next[keys[i] >> shift & 15], 1);
}

__global__ void radix_pass(const unsigned* keys, unsigned* sorted, const int* next, int n, int shift) {
    int place[16], before = 0;
    for (int d = 0; d < 16; ++d) {
        place[d] = before;
        before += next[d];
    }
    for (int i = 0; i < n; ++i) sorted[place[keys[i] >> shift & 15]++] = keys[i];
}
