// Expected values of column_variance in double: 32 columns for each block, mean first, then the distances from it.
//! launch expect_moments<<<ceil_div(cols, 32), dim3(32, 32)>>>(x, expected_mean, magnitude_mean, expected_variance, magnitude_variance, rows, cols)

__device__ double column_sum(double value) {
    __shared__ double values[32][32];
    __syncthreads();
    values[threadIdx.y][threadIdx.x] = value;
    for (int half = 16; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.y < half) values[threadIdx.y][threadIdx.x] += values[threadIdx.y + half][threadIdx.x];
    }
    __syncthreads();
    return values[0][threadIdx.x];
}

__global__ void expect_moments(const float* x, double* mean, double* mean_size, double* variance, double* variance_size,
                               int rows, int cols) {
    const int col = blockIdx.x * 32 + threadIdx.x;
    const bool inside = col < cols;
    double sum = 0.0, total = 0.0;
    for (long long i = threadIdx.y; inside && i < rows; i += 32) {
        sum += x[i * cols + col];
        total += fabs(double(x[i * cols + col]));
    }
    const double middle = column_sum(sum) / rows, size = column_sum(total) / rows;
    double squares = 0.0, distances = 0.0;
    for (long long i = threadIdx.y; inside && i < rows; i += 32) {
        double distance = x[i * cols + col] - middle;
        squares += distance * distance;
        distances += fabs(distance);
    }
    squares = column_sum(squares) / rows;
    distances = column_sum(distances) / rows;
    if (threadIdx.y == 0 && inside) {
        mean[col] = middle;
        mean_size[col] = size;
        variance[col] = squares;
        variance_size[col] = squares + distances * size / 4;
    }
}
