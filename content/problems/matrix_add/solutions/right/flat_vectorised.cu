// A matrix that lies in one piece is a vector.
//
// Idea: nothing in an elementwise sum depends on rows and columns, so treat both matrices as arrays of float4.
// Cost: the same 12 bytes per element, a quarter of the memory instructions, no half-empty blocks at the right edge
// of every row.
// Why it wins: eight 16-byte loads of a thread are under way before the first addition waits.

//! launch matrix_add<<<ceil_div(rows*cols, 2048), 256>>>(a, b, c, rows, cols)

constexpr int kVectors = 2;  // float4 per thread and input

__global__ void __launch_bounds__(256) matrix_add(const float* __restrict__ a, const float* __restrict__ b,
                                                  float* __restrict__ c, int rows, int cols) {
    const float4* a4 = reinterpret_cast<const float4*>(a);
    const float4* b4 = reinterpret_cast<const float4*>(b);
    float4* c4 = reinterpret_cast<float4*>(c);
    const long long elements = (long long)rows * cols;
    const long long vectors = elements / 4;
    const long long first = blockIdx.x * (256LL * kVectors) + threadIdx.x;

    float4 x[kVectors], y[kVectors];
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
        if (first + 256 * k < vectors) {
            x[k] = a4[first + 256 * k];
            y[k] = b4[first + 256 * k];
        }
    }
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
        if (first + 256 * k < vectors) {
            c4[first + 256 * k] = make_float4(x[k].x + y[k].x, x[k].y + y[k].y, x[k].z + y[k].z, x[k].w + y[k].w);
        }
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x < elements % 4) {  // what fills no vector
        long long i = vectors * 4 + threadIdx.x;
        c[i] = a[i] + b[i];
    }
}
