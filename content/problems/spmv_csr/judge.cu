// Expected values of spmv_csr in double: one thread for each row.
//! launch expect_product<<<ceil_div(rows, 256), 256>>>(row_start, column, value, x, expected_y, magnitude_y, rows)

__global__ void expect_product(const int* row_start, const int* column, const float* value, const float* x,
                               double* expected, double* magnitude, int rows) {
    int row = blockIdx.x * 256 + threadIdx.x;
    if (row >= rows) return;
    double sum = 0.0, total = 0.0;
    for (int k = row_start[row]; k < row_start[row + 1]; ++k) {
        double term = double(value[k]) * x[column[k]];
        sum += term;
        total += fabs(term);
    }
    expected[row] = sum;
    magnitude[row] = total;
}

// 1024 numbers for every 64 rows, in rows of 0 to 32 numbers.
__global__ void fill_row_start(int* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long in_group = i % 64;
        data[i] = int(i / 64 * 1024 + in_group * in_group / 4);
    }
}
