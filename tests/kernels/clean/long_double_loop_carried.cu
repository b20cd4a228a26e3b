// expect: clean
// compare: exact
// buffer x: f64 64 uniform const
// buffer o: f64 64 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const double* x, double* o) {
    double s = 0, c = 0;
    for (int i = 0; i < 64; i++) {
        double y = x[(threadIdx.x + i) & 63] - c, t = s + y;
        c = (t - s) - y;
        s = t;
    }
    o[threadIdx.x] = s;
}
