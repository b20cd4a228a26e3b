// f64 to u16 in all roundings
// expect: clean
// hints: conversion-out-of-range
// compare: exact
// buffer a: f64 512 convertible const
// buffer o: u16 2048 uninitialized
// segment 0: cvt.rni.u16.f64
// segment 512: cvt.rzi.u16.f64
// segment 1024: cvt.rmi.u16.f64
// segment 1536: cvt.rpi.u16.f64
//! launch k<<<2, 256>>>(a, o)
extern "C" __global__ void k(const double* a, unsigned short* o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned short r;
    asm volatile("cvt.rni.u16.f64 %0, %1;" : "=h"(r) : "d"(a[i]));
    o[0 + i] = r;
    asm volatile("cvt.rzi.u16.f64 %0, %1;" : "=h"(r) : "d"(a[i]));
    o[512 + i] = r;
    asm volatile("cvt.rmi.u16.f64 %0, %1;" : "=h"(r) : "d"(a[i]));
    o[1024 + i] = r;
    asm volatile("cvt.rpi.u16.f64 %0, %1;" : "=h"(r) : "d"(a[i]));
    o[1536 + i] = r;
}
