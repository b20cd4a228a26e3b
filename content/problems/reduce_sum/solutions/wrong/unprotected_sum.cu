// verdict: race
// All threads read, add and write the same word; almost all additions are lost. out is cleared properly, which
// does not help.

//! launch clear<<<1, 1>>>(out)
//! launch reduce_sum<<<ceil_div(n, 256), 256>>>(x, out, n)

__global__ void clear(float* out) { out[0] = 0.0f; }

__global__ void reduce_sum(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[0] += x[i];
    }
}
