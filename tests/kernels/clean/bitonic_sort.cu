// expect: clean
// compare: exact
// buffer x: i32 256 bits const
// buffer o: i32 256 uninitialized
//! launch k<<<1, 256>>>(x, o)
extern "C" __global__ void k(const int* x, int* o) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int size = 2; size <= 256; size <<= 1)
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            int other = t ^ stride;
            if (other > t) {
                bool up = (t & size) == 0;
                if ((s[t] > s[other]) == up) {
                    int v = s[t];
                    s[t] = s[other];
                    s[other] = v;
                }
            }
            __syncthreads();
        }
    o[t] = s[t];
}
