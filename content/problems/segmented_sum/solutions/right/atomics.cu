// One atomic addition for each number.
//
// Idea: clear the sums in a launch of their own, then add every number where it belongs.
// Cost: 8 bytes per number, and 134 million atomic additions in L2, many of them on the same word.
// Why the clearing is a launch of its own: a block cannot clear for the others, which may have added already.

//! launch clear<<<ceil_div(segments, 256), 256>>>(out, segments)
//! launch segmented_sum<<<ceil_div(n, 256), 256>>>(x, segment, out, n)

__global__ void clear(float* out, int segments) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < segments) out[s] = 0.0f;
}

__global__ void segmented_sum(const float* x, const int* segment, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&out[segment[i]], x[i]);
}
