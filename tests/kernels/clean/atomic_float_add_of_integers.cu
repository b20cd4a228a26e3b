// expect: clean
// compare: exact
// buffer x: f32 256 integers 0 9 const
// buffer o: f32 1 zeros
// buffer d: f64 1 zeros
//! launch k<<<1, 256>>>(x, o, d)
extern "C" __global__ void k(const float* x, float* o, double* d) {
    atomicAdd(o, x[threadIdx.x]);
    atomicAdd(d, (double)x[threadIdx.x]);
}
