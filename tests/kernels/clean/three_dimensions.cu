// expect: clean
// compare: exact
// buffer o: i32 960 uninitialized
//! launch k<<<dim3(2,2,2), dim3(4,5,6)>>>(o)
extern "C" __global__ void k(int* o) {
    int x = blockIdx.x * 4 + threadIdx.x, y = blockIdx.y * 5 + threadIdx.y, z = blockIdx.z * 6 + threadIdx.z;
    o[(z * 10 + y) * 8 + x] = x + 100 * y + 10000 * z + gridDim.z + blockDim.y;
}
