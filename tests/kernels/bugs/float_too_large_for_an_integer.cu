// expect: conversion-out-of-range
// buffer x: f32 64 index const
// buffer o: u32 64 uninitialized
//! launch k<<<1, 64>>>(x, o)
extern "C" __global__ void k(const float* x, unsigned* o) {
    int i = threadIdx.x;
    o[i] = (unsigned)(x[i] - 5);  // BUG: negative in the first lanes
}
