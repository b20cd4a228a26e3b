// __frcp_rn and expf, with a functor as a non-type choice.
struct Logistic {
    __device__ float operator()(float x) const { return __frcp_rn(1.0f + expf(-x)); }
};
template <class F>
__device__ void map(const float* x, float* y, int n, F f = F()) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);
}
__global__ void sigmoid(const float* x, float* y, int n) { map<Logistic>(x, y, n); }
