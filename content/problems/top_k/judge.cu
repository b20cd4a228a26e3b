// Expected values of top_k: one block per row, a round for each of the k.
//! launch expect_top_k<<<rows, 256>>>(x, expected_values, expected_index, cols, k)

__device__ bool comes_before(float value, int index, float other, int other_index) {
    return value > other || (value == other && index < other_index);
}

__global__ void expect_top_k(const float* x, double* expected_values, int* expected_index, int cols, int k) {
    __shared__ float values[256];
    __shared__ int places[256];
    const int t = threadIdx.x;
    const float* row = x + blockIdx.x * (long long)cols;
    float last = 3.402823466e+38f;
    int last_at = -1;
    for (int j = 0; j < k; ++j) {
        float best = -3.402823466e+38f;
        int at = cols;
        for (int i = t; i < cols; i += 256) {
            if (comes_before(last, last_at, row[i], i) && comes_before(row[i], i, best, at)) {
                best = row[i];
                at = i;
            }
        }
        values[t] = best;
        places[t] = at;
        for (int half = 128; half > 0; half /= 2) {
            __syncthreads();
            if (t < half && comes_before(values[t + half], places[t + half], values[t], places[t])) {
                values[t] = values[t + half];
                places[t] = places[t + half];
            }
        }
        __syncthreads();
        last = values[0];
        last_at = places[0];
        __syncthreads();
        if (t == 0) {
            expected_values[blockIdx.x * (long long)k + j] = last;
            expected_index[blockIdx.x * (long long)k + j] = last_at;
        }
    }
}
