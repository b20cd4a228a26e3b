// verdict: race
// Reading, adding and writing are three steps: two threads of one group read the same old sum.

//! launch clear<<<ceil_div(segments, 256), 256>>>(out, segments)
//! launch segmented_sum<<<ceil_div(n, 256), 256>>>(x, segment, out, n)

__global__ void clear(float* out, int segments) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < segments) out[s] = 0.0f;
}

__global__ void segmented_sum(const float* x, const int* segment, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[segment[i]] += x[i];
}
