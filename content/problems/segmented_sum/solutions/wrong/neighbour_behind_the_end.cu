// verdict: memory_error
// Is this the last number of its group? The last number of all asks a neighbour that is not there.

//! launch clear<<<ceil_div(segments, 256), 256>>>(out, segments)
//! launch segmented_sum<<<ceil_div(n, 256), 256>>>(x, segment, out, n)

__global__ void clear(float* out, int segments) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < segments) out[s] = 0.0f;
}

__global__ void segmented_sum(const float* x, const int* segment, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || segment[i + 1] == segment[i]) return;
    float sum = 0.0f;
    for (int k = i; k >= 0 && segment[k] == segment[i]; --k) sum += x[k];
    out[segment[i]] = sum;
}
