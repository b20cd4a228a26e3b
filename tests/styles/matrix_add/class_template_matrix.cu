// A class template with operator() and a proxy.
template <class T>
class Matrix {
public:
    __device__ Matrix(T* data, int rows, int cols) : data_(data), rows_(rows), cols_(cols) {}
    __device__ T& operator()(int row, int col) const { return data_[(size_t)row * cols_ + col]; }
    __device__ bool inside(int row, int col) const { return row < rows_ && col < cols_; }

private:
    T* data_;
    int rows_, cols_;
};
__global__ void matrix_add(const float* a, const float* b, float* c, int rows, int cols) {
    Matrix<const float> u(a, rows, cols), v(b, rows, cols);
    Matrix<float> w(c, rows, cols);
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (w.inside(row, col)) w(row, col) = u(row, col) + v(row, col);
}
