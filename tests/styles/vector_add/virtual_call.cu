// An object with a virtual function, made by placement new in local memory.
struct Operation {
    __device__ virtual float run(float a, float b) const = 0;
};
struct Sum : Operation {
    __device__ float run(float a, float b) const override { return a + b; }
};
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    alignas(Sum) unsigned char room[sizeof(Sum)];
    const Operation* operation = new (room) Sum;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = operation->run(a[i], b[i]);
}
