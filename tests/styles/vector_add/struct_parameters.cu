// Pointers in a structure that is passed on by value, by pointer and by reference.
struct View {
    const float* data;
    int length;
    __device__ float operator[](int i) const { return data[i]; }
    __device__ bool holds(int i) const { return i < length; }
};
__device__ float both(View a, const View& b, const View* again, int i) { return a[i] + (again == &b ? b[i] : 0.0f); }
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    View u{a, n}, v{b, n};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (u.holds(i)) c[i] = both(u, v, &v, i);
}
