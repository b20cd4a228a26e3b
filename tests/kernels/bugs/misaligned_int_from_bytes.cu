// expect: misaligned
// buffer x: u8 1024 bits const
// buffer o: i32 128 uninitialized
//! launch k<<<1, 128>>>(x, o)
extern "C" __global__ void k(const unsigned char* x, int* o) {
    int i = threadIdx.x;
    o[i] = *reinterpret_cast<const int*>(x + i);  // BUG
}
