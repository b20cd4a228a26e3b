// The k largest of each row, the largest first; of equal numbers the one further left comes first.
//
// Started as top_k<<<rows, 256>>>(x, values, index, rows, cols, k), one block for each row. The largest is found and written; the
// other k - 1 are missing: as it stands, every place gets the largest.

__device__ bool comes_before(float value, int index, float other, int other_index) {
    return value > other || (value == other && index < other_index);
}

__global__ void top_k(const float* x, float* values, int* index, int rows, int cols, int k) {
    __shared__ float best_value[256];
    __shared__ int best_index[256];
    const int t = threadIdx.x;
    const float* row = x + blockIdx.x * (long long)cols;
    for (int j = 0; j < k; ++j) {
        float best = -3.402823466e+38f;
        int at = cols;
        for (int i = t; i < cols; i += blockDim.x) {
            // fill in: leave out what an earlier round has chosen
            if (comes_before(row[i], i, best, at)) {
                best = row[i];
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
        if (t == 0) {
            values[blockIdx.x * (long long)k + j] = best_value[0];
            index[blockIdx.x * (long long)k + j] = best_index[0];
        }
        __syncthreads();
    }
}
