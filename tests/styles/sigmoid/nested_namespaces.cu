// Helpers in nested namespaces, both signs apart.
namespace activation {
namespace detail {
__device__ inline float ratio(float e) { return e / (e + 1.0f); }
}  // namespace detail
__device__ float sigmoid_of(float x) { return x < 0 ? detail::ratio(expf(x)) : 1.0f - detail::ratio(expf(-x)); }
}  // namespace activation
__global__ void sigmoid(const float* x, float* y, int n) {
    using namespace activation;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = sigmoid_of(x[i]);
}
