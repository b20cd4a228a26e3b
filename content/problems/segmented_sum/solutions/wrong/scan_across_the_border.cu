// verdict: wrong_answer
// The shuffles add whatever stands to the left, also where another group begins.

//! launch clear<<<ceil_div(segments, 256), 256>>>(out, segments)
//! launch segmented_sum<<<ceil_div(n, 256), 256>>>(x, segment, out, n)

__global__ void clear(float* out, int segments) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < segments) out[s] = 0.0f;
}

__global__ void segmented_sum(const float* x, const int* segment, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float sum = i < n ? x[i] : 0.0f;
    int group = i < n ? segment[i] : -1;
    for (int d = 1; d < 32; d *= 2) {
        float left = __shfl_up_sync(0xffffffffu, sum, d);
        if (lane >= d) sum += left;
    }
    int right_group = __shfl_down_sync(0xffffffffu, group, 1);
    if (group >= 0 && (lane == 31 || right_group != group)) atomicAdd(&out[group], sum);
}
