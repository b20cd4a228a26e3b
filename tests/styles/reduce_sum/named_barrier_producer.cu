// Half of the block produces, the other half consumes; named barriers in PTX between them.
//! launch reduce_sum<<<1, 128>>>(x, out, n)
__global__ void reduce_sum(const float* x, float* out, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < 64) {
        float v = 0;
        for (int i = t; i < n; i += 64) v += x[i];
        s[t] = v;
        asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        if (t == 64) {
            float all = 0;
            for (int k = 0; k < 64; ++k) all += s[k];
            *out = all;
        }
    }
}
