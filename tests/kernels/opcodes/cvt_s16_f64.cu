// f64 to s16 in all roundings
// expect: clean
// hints: conversion-out-of-range
// compare: exact
// buffer a: f64 512 convertible const
// buffer o: i16 2048 uninitialized
// segment 0: cvt.rni.s16.f64
// segment 512: cvt.rzi.s16.f64
// segment 1024: cvt.rmi.s16.f64
// segment 1536: cvt.rpi.s16.f64
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const double* a, short* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    short r;
    asm volatile("cvt.rni.s16.f64 %0, %1;" : "=h"(r) : "d"(a[i]));
    o[0 + i] = r;
    asm volatile("cvt.rzi.s16.f64 %0, %1;" : "=h"(r) : "d"(a[i]));
    o[512 + i] = r;
    asm volatile("cvt.rmi.s16.f64 %0, %1;" : "=h"(r) : "d"(a[i]));
    o[1024 + i] = r;
    asm volatile("cvt.rpi.s16.f64 %0, %1;" : "=h"(r) : "d"(a[i]));
    o[1536 + i] = r;
}
