// f64 to s32 in all roundings
// expect: clean
// hints: conversion-out-of-range
// compare: exact
// buffer a: f64 512 convertible const
// buffer o: i32 2048 uninitialized
// segment 0: cvt.rni.s32.f64
// segment 512: cvt.rzi.s32.f64
// segment 1024: cvt.rmi.s32.f64
// segment 1536: cvt.rpi.s32.f64
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const double* a, int* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int r;
    asm volatile("cvt.rni.s32.f64 %0, %1;" : "=r"(r) : "d"(a[i]));
    o[0 + i] = r;
    asm volatile("cvt.rzi.s32.f64 %0, %1;" : "=r"(r) : "d"(a[i]));
    o[512 + i] = r;
    asm volatile("cvt.rmi.s32.f64 %0, %1;" : "=r"(r) : "d"(a[i]));
    o[1024 + i] = r;
    asm volatile("cvt.rpi.s32.f64 %0, %1;" : "=r"(r) : "d"(a[i]));
    o[1536 + i] = r;
}
