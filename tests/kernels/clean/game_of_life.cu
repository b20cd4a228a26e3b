// expect: clean
// compare: exact
// buffer x: u8 1024 integers 0 2 const
// buffer o: u8 1024 uninitialized
//! launch k<<<dim3(2,2), dim3(16,16)>>>(x, o, 32)
extern "C" __global__ void k(const unsigned char* x, unsigned char* o, int n) {
    int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x, live = 0;
    for (int dr = -1; dr <= 1; dr++)
        for (int dc = -1; dc <= 1; dc++)
            if (dr || dc) live += x[(r + dr + n) % n * n + (c + dc + n) % n];
    o[r * n + c] = live == 3 || (live == 2 && x[r * n + c]);
}
