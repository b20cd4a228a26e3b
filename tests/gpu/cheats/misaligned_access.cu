// problem: vector_add
// cited: 56
// allowed: memory_error
// A float4 from an odd address.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) *(float4*)(c + 1) = *(const float4*)(a + 1);
}
