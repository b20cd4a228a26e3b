//! scratch parts float 8
//! launch tops<<<8, 64>>>(x, parts, n)
//! launch write<<<ceil_div(n, 128), 128>>>(x, parts, scale, q, y, n)
// Each block writes its own maximum; every thread of the next launch joins the eight.
__global__ void tops(const float* x, float* parts, int n) {
    __shared__ float s[64];
    float top = 0;
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 512) top = fmaxf(top, fabsf(x[i]));
    s[threadIdx.x] = top;
    __syncthreads();
    for (int h = 32; h > 0; h >>= 1) {
        if (threadIdx.x < h) s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + h]);
        __syncthreads();
    }
    if (threadIdx.x == 0) parts[blockIdx.x] = s[0];
}
__global__ void write(const float* x, const float* parts, float* scale, signed char* q, float* y, int n) {
    float top = 0;
    for (int k = 0; k < 8; ++k) top = fmaxf(top, parts[k]);
    float step = top == 0.0f ? 1.0f : top / 127.0f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) scale[0] = step;
    if (i >= n) return;
    long whole = lrintf(x[i] / step);
    q[i] = static_cast<signed char>(whole);
    y[i] = static_cast<float>(whole) * step;
}
