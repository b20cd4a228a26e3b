// One thread, one element.
//
// Idea: thread i updates the element at i * stride.
// Cost: with stride s a warp touches 4 s sectors of 32 bytes per access (up to 32 of them) instead of 4, so the
// time per element grows with s up to 8 and then stays.
// Why 64-bit positions: n * stride may pass 2^31 although both fit an int.

__global__ void saxpy_strided(float alpha, const float* x, float* y, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        long long position = (long long)i * stride;
        y[position] = alpha * x[position] + y[position];
    }
}
