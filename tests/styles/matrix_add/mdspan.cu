// cuda::std::mdspan over the three matrices.
#include <cuda/std/mdspan>
__global__ void matrix_add(const float* a, const float* b, float* c, int rows, int cols) {
    using Extents = cuda::std::dextents<int, 2>;
    cuda::std::mdspan<const float, Extents> u(a, rows, cols), v(b, rows, cols);
    cuda::std::mdspan<float, Extents> w(c, rows, cols);
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) w(row, col) = u(row, col) + v(row, col);
}
