// expect: race-shared
// buffer o: i32 1 uninitialized
//! launch k<<<1, 256>>>(o)
extern "C" __global__ void k(int* o) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    count += threadIdx.x;  // BUG
    __syncthreads();
    if (threadIdx.x == 0) o[0] = count;
}
