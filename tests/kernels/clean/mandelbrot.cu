// expect: clean
// compare: exact
// buffer o: i32 1024 uninitialized
//! launch k<<<dim3(2,2), dim3(16,16)>>>(o, 32)
extern "C" __global__ void k(int* o, int n) {
    int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x, i = 0;
    float a = 3.0f * c / n - 2, b = 2.0f * r / n - 1, x = 0, y = 0;
    while (x * x + y * y < 4 && i < 50) {
        float t = x * x - y * y + a;
        y = 2 * x * y + b;
        x = t;
        i++;
    }
    o[r * n + c] = i;
}
