// verdict: wrong_answer
// The search for the largest begins at 0: in a row of negative numbers nothing is larger.

__device__ bool comes_before(float value, int index, float other, int other_index) {
    return value > other || (value == other && index < other_index);
}

__global__ void top_k(const float* x, float* values, int* index, int rows, int cols, int k) {
    __shared__ float best_value[256];
    __shared__ int best_index[256];
    const int t = threadIdx.x;
    const float* row = x + blockIdx.x * (long long)cols;
    float last = 3.402823466e+38f;
    int last_at = -1;
    for (int j = 0; j < k; ++j) {
        float best = 0.0f;
        int at = cols;
        for (int i = t; i < cols; i += blockDim.x) {
            float value = row[i];
            if (comes_before(last, last_at, value, i) && comes_before(value, i, best, at)) {
                best = value;
                at = i;
            }
        }
        best_value[t] = best;
        best_index[t] = at;
        for (int active = blockDim.x / 2; active > 0; active /= 2) {
            __syncthreads();
            if (t < active && comes_before(best_value[t + active], best_index[t + active], best_value[t], best_index[t])) {
                best_value[t] = best_value[t + active];
                best_index[t] = best_index[t + active];
            }
        }
        __syncthreads();
        last = best_value[0];
        last_at = best_index[0];
        if (t == 0) {
            values[blockIdx.x * (long long)k + j] = last;
            index[blockIdx.x * (long long)k + j] = last_at;
        }
        __syncthreads();
    }
}
