// expect: clean
// compare: exact
// buffer o: i32 32 uninitialized
//! launch k<<<1, 32>>>(o)
extern "C" __global__ void k(int* o) {
    long long a = clock64();
    int sum = 0;
    for (int i = 0; i < 10; i++) sum += o == nullptr ? 0 : i;
    o[threadIdx.x] = (clock64() > a) * sum;
}
