//! launch reduce_sum<<<1, 128, 128*12>>>(x, out, n)
// One dynamic array cut into doubles and floats.
__global__ void reduce_sum(const float* x, float* out, int n) {
    extern __shared__ __align__(16) unsigned char raw[];
    double* wide = reinterpret_cast<double*>(raw);
    float* narrow = reinterpret_cast<float*>(raw + 128 * sizeof(double));
    double sum = 0;
    for (int i = threadIdx.x; i < n; i += 128) sum += x[i];
    wide[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x < 64) narrow[threadIdx.x] = float(wide[threadIdx.x] + wide[threadIdx.x + 64]);
    __syncthreads();
    if (threadIdx.x == 0) {
        float all = 0;
        for (int k = 0; k < 64; ++k) all += narrow[k];
        *out = all;
    }
}
