// verdict: uninitialized
// The numbers are added to whatever was there.

//! launch segmented_sum<<<ceil_div(n, 256), 256>>>(x, segment, out, n)

__global__ void segmented_sum(const float* x, const int* segment, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&out[segment[i]], x[i]);
}
