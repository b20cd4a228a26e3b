// One block, one row; maximum and sum in one pass (online softmax), the result in a second one.
//
// Idea: a pair (maximum, sum of exponentials relative to it) can be joined with another pair, so both reductions
// become one: (m1, s1) + (m2, s2) = (m, s1 exp(m1 - m) + s2 exp(m2 - m)) with m = max(m1, m2).
// Cost: the row is read twice, the second time mostly from the L2 cache, and coalesced. One tree instead of two.
// Why a thread that saw nothing is harmless: its sum is 0, and its maximum is the smallest float rather than minus
// infinity, because exp(-inf - (-inf)) would not be a number.

constexpr float kLowest = -3.402823466e+38f;

struct Partial {
    float top, sum;
};

__device__ Partial join(Partial p, Partial q) {
    float top = fmaxf(p.top, q.top);
    return {top, p.sum * expf(p.top - top) + q.sum * expf(q.top - top)};
}

__global__ void __launch_bounds__(256) softmax(const float* x, float* y, int rows, int cols) {
    __shared__ Partial partial[256];
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;

    Partial mine = {kLowest, 0.0f};
    for (int j = threadIdx.x; j < cols; j += 256) mine = join(mine, {from[j], 1.0f});
    partial[threadIdx.x] = mine;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) partial[threadIdx.x] = join(partial[threadIdx.x], partial[threadIdx.x + half]);
    }
    __syncthreads();
    const Partial row = partial[0];
    for (int j = threadIdx.x; j < cols; j += 256) to[j] = expf(from[j] - row.top) / row.sum;
}
