// expect: clean
// compare: exact
// buffer x: f32 256 positive const
// buffer o: f32 1 zeros
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const float* x, float* o) {
    int* p = (int*)o;
    int old = *(volatile int*)p, seen;
    do {
        seen = old;
        old = atomicCAS(p, seen, __float_as_int(fmaxf(x[threadIdx.x], __int_as_float(seen))));
    } while (seen != old);
}
