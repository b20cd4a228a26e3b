// Neighbours of one group join in the warp; the last of each run adds to memory.
//
// Idea: a scan by shuffles that stops where the group changes; an unfinished run is carried on to the next 32 numbers.
// Cost: 8 bytes per number, and about one atomic addition for 100 numbers.
// Why work is dealt by numbers and not by groups: all warps then have the same work, whatever the groups are.

//! launch clear<<<ceil_div(segments, 256), 256>>>(out, segments)
//! launch segmented_sum<<<ceil_div(n, 2048), 256>>>(x, segment, out, n)

constexpr int kRows = 8;
constexpr unsigned kAll = 0xffffffffu;

__global__ void clear(float* out, int segments) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < segments) out[s] = 0.0f;
}

__global__ void __launch_bounds__(256) segmented_sum(const float* __restrict__ x, const int* __restrict__ segment,
                                                     float* __restrict__ out, int n) {
    const int lane = threadIdx.x % 32;
    const long long first = (blockIdx.x * 8LL + threadIdx.x / 32) * (32 * kRows) + lane;
    float value[kRows];
    int group[kRows];
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
        long long i = first + k * 32;
        value[k] = i < n ? x[i] : 0.0f;
        group[k] = i < n ? segment[i] : -1;  // behind the end: a group of its own, never written
    }
    int open_group = -1;  // the run that the row before ended in
    float open_sum = 0.0f;
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
        float sum = value[k];
        for (int d = 1; d < 32; d *= 2) {
            float left = __shfl_up_sync(kAll, sum, d);
            int left_group = __shfl_up_sync(kAll, group[k], d);
            if (lane >= d && left_group == group[k]) sum += left;
        }
        if (group[k] == open_group) sum += open_sum;
        if (lane == 0 && open_group >= 0 && group[k] != open_group) atomicAdd(&out[open_group], open_sum);
        int right_group = __shfl_down_sync(kAll, group[k], 1);
        if (lane < 31 && right_group != group[k] && group[k] >= 0) atomicAdd(&out[group[k]], sum);
        open_group = __shfl_sync(kAll, group[k], 31);
        open_sum = __shfl_sync(kAll, sum, 31);
    }
    if (lane == 0 && open_group >= 0) atomicAdd(&out[open_group], open_sum);
}
