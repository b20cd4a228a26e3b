// expect: clean
// buffer x: f32 256 uniform const
// buffer o: f32 256 uninitialized
//! launch k<<<2, 128>>>(x, o, 200)
// Addresses that are computed in one place, copied, and used in another.
extern "C" __global__ void k(const float* x, float* o, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    const float* from = i < n ? x + (long long)i : x;
    float* to = i % 2 ? o + i : o + (i + 0);
    const float* last = from;
    for (int j = 0; j < 3; j++) last = j % 2 ? last : from + (i + j < n ? j : 0);
    *to = *from + *last;
}
