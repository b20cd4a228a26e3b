// f32 to u64 in all roundings
// expect: clean
// hints: conversion-out-of-range
// compare: exact
// buffer a: f32 512 convertible const
// buffer o: u64 2048 uninitialized
// segment 0: cvt.rni.u64.f32
// segment 512: cvt.rzi.u64.f32
// segment 1024: cvt.rmi.u64.f32
// segment 1536: cvt.rpi.u64.f32
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const float* a, unsigned long long* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long r;
    asm volatile("cvt.rni.u64.f32 %0, %1;" : "=l"(r) : "f"(a[i]));
    o[0 + i] = r;
    asm volatile("cvt.rzi.u64.f32 %0, %1;" : "=l"(r) : "f"(a[i]));
    o[512 + i] = r;
    asm volatile("cvt.rmi.u64.f32 %0, %1;" : "=l"(r) : "f"(a[i]));
    o[1024 + i] = r;
    asm volatile("cvt.rpi.u64.f32 %0, %1;" : "=l"(r) : "f"(a[i]));
    o[1536 + i] = r;
}
