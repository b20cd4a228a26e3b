//! launch dense_sigmoid<<<ceil_div(m, 8), 256>>>(w, x, b, y, m, n)
// A warp a row, float4 where n allows it.
__global__ void dense_sigmoid(const float* w, const float* x, const float* b, float* y, int m, int n) {
    int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= m) return;
    const float* from = w + (size_t)row * n;
    float sum = 0;
    if (n % 4 == 0) {
        for (int j = lane; j < n / 4; j += 32) {
            float4 u = reinterpret_cast<const float4*>(from)[j], v = reinterpret_cast<const float4*>(x)[j];
            sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
        }
    } else {
        for (int j = lane; j < n; j += 32) sum += from[j] * x[j];
    }
#pragma unroll
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0) y[row] = 1.0f / (1.0f + expf(-(sum + b[row])));
}
