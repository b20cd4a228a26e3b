// A tile as a class template with its own barrier.
template <class T, int kSide>
class Tile {
public:
    template <class F>
    __device__ void fill(F value) {
        each([&](int r, int c) { at_[r][c] = value(r, c); });
        __syncthreads();
    }
    template <class F>
    __device__ void give(F take) const {
        for (int r = threadIdx.y; r < kSide; r += blockDim.y) take(r, threadIdx.x, at_[threadIdx.x][r]);
    }

private:
    template <class F>
    __device__ void each(F f) {
        for (int r = threadIdx.y; r < kSide; r += blockDim.y) f(r, (int)threadIdx.x);
    }
    T at_[kSide][kSide + 1];
};
__global__ void transpose(const float* x, float* y, int rows, int cols) {
    __shared__ Tile<float, 32> tile;
    int r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
    tile.fill([=](int r, int c) { return r0 + r < rows && c0 + c < cols ? x[(size_t)(r0 + r) * cols + c0 + c] : 0.0f; });
    tile.give([=](int r, int c, float v) {
        if (c0 + r < cols && r0 + c < rows) y[(size_t)(c0 + r) * rows + r0 + c] = v;
    });
}
