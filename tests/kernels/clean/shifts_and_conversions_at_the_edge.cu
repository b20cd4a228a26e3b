// expect: clean
// compare: exact
// buffer x: f64 64 index const
// buffer o: i64 256 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const double* x, long long* o) {
    int i = threadIdx.x;
    float smallest = -2147483648.0f + 256 * i, largest = 4294967040.0f - 256 * i;
    o[4 * i] = (int)smallest;
    o[4 * i + 1] = (unsigned)largest;
    o[4 * i + 2] = (long long)(-9223372036854775808.0 + 2048 * x[i]) + (int)(2147483647.0 - x[i] / 64);
    o[4 * i + 3] = (1 << (i % 32)) + (1ll << i) + (unsigned)(-0.9 + x[i] / 64);
}
