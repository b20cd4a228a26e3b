// A detour over shared memory with memcpy_async of a whole block.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
//! launch matrix_add<<<rows, 64>>>(a, b, c, rows, cols)
__global__ void matrix_add(const float* a, const float* b, float* c, int rows, int cols) {
    __shared__ float row[64];
    auto block = cg::this_thread_block();
    const size_t base = (size_t)blockIdx.x * cols;
    for (int start = 0; start < cols; start += 64) {
        int count = min(64, cols - start);
        cg::memcpy_async(block, row, a + base + start, sizeof(float) * count);
        cg::wait(block);
        if (threadIdx.x < count) c[base + start + threadIdx.x] = row[threadIdx.x] + b[base + start + threadIdx.x];
        block.sync();
    }
}
