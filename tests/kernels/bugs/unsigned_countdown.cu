// expect: infinite-loop
// buffer o: i32 32 uninitialized
//! launch k<<<1, 32>>>(o)
extern "C" __global__ void k(int* o) {
    int sum = 0;
    for (unsigned i = 10; i >= 0; i--) {  // BUG
        sum += i;  // BUG
    }
    o[threadIdx.x] = sum;
}
