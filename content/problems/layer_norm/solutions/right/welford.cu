// One block, one row; mean and squares together in one pass (Welford), joined by the rule of Chan.
//
// Idea: keep count, mean and the sum of squared distances from that mean. A new number moves the mean by its
// distance / count; two partial results join without ever forming x^2.
// Cost: the row is read twice (the second time mostly from the L2 cache); a division per element in the first pass.
// Why it is stable: all quantities stay of the size of the differences, however large the mean is.

struct Moments {
    float count, mean, squares;  // squares: sum of (x - mean)^2
};

__device__ Moments join(Moments p, Moments q) {
    float count = p.count + q.count;
    if (count == 0.0f) return p;
    float distance = q.mean - p.mean, share = q.count / count;
    return {count, p.mean + distance * share, p.squares + q.squares + distance * distance * p.count * share};
}

__global__ void __launch_bounds__(256) layer_norm(const float* x, const float* gamma, const float* beta, float* y,
                                                  int rows, int cols) {
    __shared__ Moments partial[256];
    const float* from = x + (long long)blockIdx.x * cols;
    float* to = y + (long long)blockIdx.x * cols;

    Moments mine = {0.0f, 0.0f, 0.0f};
    for (int j = threadIdx.x; j < cols; j += 256) {
        mine.count += 1.0f;
        float distance = from[j] - mine.mean;
        mine.mean += distance / mine.count;
        mine.squares += distance * (from[j] - mine.mean);
    }
    partial[threadIdx.x] = mine;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) partial[threadIdx.x] = join(partial[threadIdx.x], partial[threadIdx.x + half]);
    }
    __syncthreads();
    const float mean = partial[0].mean;
    const float inverse = rsqrtf(partial[0].squares / cols + 1e-5f);
    for (int j = threadIdx.x; j < cols; j += 256) to[j] = (from[j] - mean) * inverse * gamma[j] + beta[j];
}
