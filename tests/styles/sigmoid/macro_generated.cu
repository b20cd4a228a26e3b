// The kernel made by a macro.
#define UNARY(name, formula)                                    \
    __global__ void name(const float* x, float* y, int n) {     \
        const int i = blockDim.x * blockIdx.x + threadIdx.x;    \
        if (i < n) {                                            \
            const float v = x[i];                               \
            y[i] = (formula);                                   \
        }                                                       \
    }
UNARY(sigmoid, 1.0f / (1.0f + expf(-v)))
