// Expected values of spmm_csr in double: one thread for each element of y.
//! launch expect_product<<<ceil_div(rows*width, 256), 256>>>(row_start, column, value, x, expected_y, magnitude_y, rows, width)

__global__ void expect_product(const int* row_start, const int* column, const float* value, const float* x,
                               double* expected, double* magnitude, int rows, int width) {
    const long long at = blockIdx.x * 256LL + threadIdx.x;
    if (at >= (long long)rows * width) return;
    const long long row = at / width, j = at % width;
    double sum = 0.0, total = 0.0;
    for (int k = row_start[row]; k < row_start[row + 1]; ++k) {
        double term = double(value[k]) * x[column[k] * (long long)width + j];
        sum += term;
        total += fabs(term);
    }
    expected[at] = sum;
    magnitude[at] = total;
}

// 512 numbers for every 64 rows, in rows of 0 to 16 numbers.
__global__ void fill_row_start(int* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long in_group = i % 64;
        data[i] = int(i / 64 * 512 + in_group * in_group / 8);
    }
}

// As in a mesh whose nodes are numbered well: the columns of 64 rows lie within 32 places before and after them.
__global__ void fill_column(int* data, unsigned long long elements, unsigned long long seed) {
    const long long cols = elements / 8;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long bits = (i + seed) * 0x9E3779B97F4A7C15ull;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
        long long place = (long long)(i / 512 * 64) - 32 + (long long)(bits >> 57);
        data[i] = int(min(max(place, 0LL), cols - 1));
    }
}
