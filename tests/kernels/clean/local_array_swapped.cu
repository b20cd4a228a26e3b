// expect: clean
// compare: exact
// buffer x: i32 256 integers -50 50 const
// buffer o: i32 256 uninitialized
//! launch k<<<2, 128>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int pair[4] = {x[i], i, x[255 - i], 7};
    int* p = pair;
    for (int j = 0; j < 4; j++) {  // every thread swaps the same places at the same time
        int kept = p[j];
        p[j] = p[(j + 1) % 4];
        p[(j + 1) % 4] = kept;
    }
    o[i] = p[0] + 100 * p[1] + 10000 * p[2] - p[3];
}
