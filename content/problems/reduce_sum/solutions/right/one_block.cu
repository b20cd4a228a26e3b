// A tree in shared memory, one block.
//
// Idea: 256 threads collect partial sums, then halve their number eight times.
// Cost: 4 bytes per element, but through one multiprocessor of 132: about one hundredth of the card's bandwidth.
// Why start here: every difficulty of a reduction is present (shared memory, barriers, idle threads) except that
// blocks cannot wait for each other.

__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ float partial[256];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        sum += x[i];  // neighbours read neighbours: coalesced
    }
    partial[threadIdx.x] = sum;  // also a thread without an element writes its 0

    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();  // outside the if: every thread must arrive
        if (threadIdx.x < half) {
            // The lower half adds the upper half: active threads stay in whole warps and on distinct banks.
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0) {
        out[0] = partial[0];
    }
}
