// expect: clean
// compare: exact
// buffer x: f32 256 uniform const
// buffer o: f32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
template <int N, typename T> __device__ T power(T v) { if constexpr (N == 0) return 1; else return v * power<N - 1>(v); }
extern "C" __global__ void k(const float* x, float* o) { o[threadIdx.x] = power<5>(x[threadIdx.x]) + (float)power<2>((double)x[threadIdx.x]); }
