// expect: clean
// compare: exact
// buffer x: i32 1000 integers -50 50 const
// buffer o: i32 1 zeros
//! launch k<<<4, 256>>>(x, o, 1000)
extern "C" __global__ void k(const int* x, int* o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(o, x[i]);
}
