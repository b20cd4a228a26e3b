// A block for each row; maximum and sum in one pass.
//
// Idea: online softmax: a partial sum is rescaled when its maximum grows.
// Cost: 12 bytes per element, the second reading partly from L2; one tree of eight levels.
// Why one tree is enough: the pair (maximum, sum) joins in any order.

constexpr float kLowest = -3.402823466e38f;  // not minus infinity: (-inf) - (-inf) is no number

__device__ void join(float& top, float& sum, float other_top, float other_sum) {
    float larger = fmaxf(top, other_top);
    sum = sum * expf(top - larger) + other_sum * expf(other_top - larger);
    top = larger;
}

__global__ void __launch_bounds__(256) cross_entropy(const float* x, const int* target, float* loss, float* grad,
                                                     int rows, int cols) {
    __shared__ float tops[256], sums[256];
    const int t = threadIdx.x;
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = grad + (long long)blockIdx.x * cols;
    float top = kLowest, sum = 0.0f;
    for (int j = t; j < cols; j += 256) join(top, sum, from[j], 1.0f);
    tops[t] = top;
    sums[t] = sum;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) join(tops[t], sums[t], tops[t + half], sums[t + half]);
    }
    __syncthreads();
    top = tops[0];
    sum = sums[0];
    const int wanted = target[blockIdx.x];
    if (t == 0) loss[blockIdx.x] = logf(sum) - (from[wanted] - top);
    for (int j = t; j < cols; j += 256) to[j] = expf(from[j] - top) / sum - (j == wanted ? 1.0f : 0.0f);
}
