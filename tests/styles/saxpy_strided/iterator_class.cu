// A strided iterator with operators.
template <class T>
struct Strided {
    T* at;
    int step;
    __device__ T& operator*() const { return *at; }
    __device__ Strided operator+(int count) const { return {at + (long long)count * step, step}; }
};
__global__ void saxpy_strided(float alpha, const float* x, float* y, int n, int stride) {
    Strided<const float> from{x, stride};
    Strided<float> to{y, stride};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) *(to + i) = alpha * *(from + i) + *(to + i);
}
