// expect: clean
// compare: exact
// buffer x: i32 64 index const
// buffer o: i32 32 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    __shared__ volatile int flag;
    __shared__ int data[32];
    int t = threadIdx.x;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t >= 32) {
        data[t - 32] = x[t] * 3;
        __threadfence_block();
        __syncwarp();
        if (t == 32) flag = 1;
    } else {
        while (flag == 0) {
        }
        __threadfence_block();
        __syncwarp();
    }
    __syncthreads();
    if (t < 32) o[t] = data[t];
}
