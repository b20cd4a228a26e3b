// cub::BlockLoad and BlockStore, four elements a thread.
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>
//! launch sigmoid<<<ceil_div(n, 512), 128>>>(x, y, n)
__global__ void sigmoid(const float* x, float* y, int n) {
    using Load = cub::BlockLoad<float, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>;
    using Store = cub::BlockStore<float, 128, 4, cub::BLOCK_STORE_TRANSPOSE>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } temp;
    int start = blockIdx.x * 512, valid = min(512, n - start);
    float items[4];
    Load(temp.load).Load(x + start, items, valid, 0.0f);
    __syncthreads();
    for (int k = 0; k < 4; ++k) items[k] = 1.0f / (1.0f + expf(-items[k]));
    Store(temp.store).Store(y + start, items, valid);
}
