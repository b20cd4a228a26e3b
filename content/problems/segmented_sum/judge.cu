// Expected values of segmented_sum in double: each thread finds its segment by halving, and adds it up.
//! launch expect_sums<<<ceil_div(segments, 256), 256>>>(x, segment, expected_out, magnitude_out, n, segments)

__device__ int first_not_below(const int* segment, int n, int wanted) {
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (segment[middle] < wanted) low = middle + 1; else high = middle;
    }
    return low;
}

__global__ void expect_sums(const float* x, const int* segment, double* expected, double* magnitude, int n,
                            int segments) {
    int s = blockIdx.x * 256 + threadIdx.x;
    if (s >= segments) return;
    double sum = 0.0, total = 0.0;
    for (int i = first_not_below(segment, n, s); i < n && segment[i] == s; ++i) {
        sum += x[i];
        total += fabs(double(x[i]));
    }
    expected[s] = sum;
    magnitude[s] = total;
}

// Ascending, 1024 numbers for 16 segments: every second one is empty, the others have from 66 to 363 numbers.
__global__ void fill_segment(int* data, unsigned long long elements, unsigned long long seed) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < elements;
         i += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long in_group = i % 1024;
        data[i] = int(i / 1024 * 16 + in_group * in_group / 131072 * 2);
    }
}
