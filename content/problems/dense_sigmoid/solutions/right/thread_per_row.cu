// One thread, one output.
//
// Idea: the definition, word for word.
// Cost: neighbouring threads read elements n apart, so each load of a warp touches 32 sectors of 32 bytes and uses
// 4 bytes of each; the caches keep some of the rest until the following iterations ask for it. And m threads are
// few: 32768 fill an eighth of the card.
// Why it is here: it is the first thing to write and the last to keep.

__global__ void dense_sigmoid(const float* w, const float* x, const float* b, float* y, int m, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m) {
        float z = b[row];
        for (int j = 0; j < n; ++j) {
            z += w[(long long)row * n + j] * x[j];
        }
        y[row] = 1.0f / (1.0f + expf(-z));
    }
}
