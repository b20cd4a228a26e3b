// A base class that calls its derived one (CRTP); the objects have no members.
template <class Self>
struct Base {
    __device__ float operator()(float a, float b) const { return static_cast<const Self*>(this)->run(a, b); }
};
struct Add : Base<Add> {
    __device__ float run(float a, float b) const { return a + b; }
};
template <class T>
__device__ void each(const float* a, const float* b, float* c, int i, Base<T> op) { c[i] = op(a[i], b[i]); }
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Add add;
    if (i < n) each(a, b, c, i, add);
}
