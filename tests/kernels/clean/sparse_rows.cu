// expect: clean
// compare: exact
// buffer p: i32 65 index const
// buffer v: f32 256 uniform const
// buffer o: f32 64 uninitialized
//! launch k<<<1, 64>>>(p, v, o)
extern "C" __global__ void k(const int* p, const float* v, float* o) {
    float s = 0;
    for (int j = p[threadIdx.x] * 4; j < p[threadIdx.x + 1] * 4; j++) s += v[j];
    o[threadIdx.x] = s;
}
