// Elements collected in a local array, then written back.
//! launch saxpy_strided<<<ceil_div(n, 512), 128>>>(alpha, x, y, n, stride)
__global__ void saxpy_strided(float alpha, const float* x, float* y, int n, int stride) {
    float held[4];
    const int first = blockIdx.x * 512 + threadIdx.x;
    int count = 0;
    for (int i = first; i < min(n, blockIdx.x * 512 + 512); i += 128) held[count++] = alpha * x[(long long)i * stride];
    for (int k = 0; k < count; ++k) y[(long long)(first + k * 128) * stride] += held[k];
}
