// expect: clean
// compare: relative 1e-14
// buffer x: f64 256 positive const
// buffer o: f64 2048 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const double* x, double* o) {
    int i = threadIdx.x;
    double v = x[i];
    double r[8] = {sin(v), exp(v), log(v), pow(v, 2.5), tanh(v), erf(v), fmod(v, 0.7), atan(v)};
    for (int j = 0; j < 8; j++) o[j * 256 + i] = r[j];
}
