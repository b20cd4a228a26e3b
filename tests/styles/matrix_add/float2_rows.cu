// float2 where the row allows it, a scalar at the end of each row.
__global__ void matrix_add(const float* a, const float* b, float* c, int rows, int cols) {
    int col = (blockIdx.x * blockDim.x + threadIdx.x) * 2, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    int at = row * cols + col;
    if (cols % 2 == 0) {
        float2 u = *(const float2*)(a + at), v = *(const float2*)(b + at);
        *(float2*)(c + at) = make_float2(u.x + v.x, u.y + v.y);
    } else {
        c[at] = a[at] + b[at];
        if (col + 1 < cols) c[at + 1] = a[at + 1] + b[at + 1];
    }
}
