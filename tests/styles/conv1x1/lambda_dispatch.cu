// The number of channels chosen at compile time by a generic lambda and integral_constant.
#include <cuda/std/type_traits>
__global__ void conv1x1(const float* x, const float* w, const float* bias, float* y, int batch, int channels_in, int channels_out, int pixels) {
    int p = blockIdx.x * blockDim.x + threadIdx.x, o = blockIdx.y;
    if (p >= pixels) return;
    const float *from = x + (size_t)blockIdx.z * channels_in * pixels + p, *row = w + o * channels_in;
    auto sum = [&](auto count) {
        float s = bias[o];
        constexpr int kCount = decltype(count)::value;
        for (int c = 0; c < (kCount ? kCount : channels_in); ++c) s += row[c] * from[(size_t)c * pixels];
        return s;
    };
    float s = channels_in == 16 ? sum(cuda::std::integral_constant<int, 16>{}) : channels_in == 3 ? sum(cuda::std::integral_constant<int, 3>{}) : sum(cuda::std::integral_constant<int, 0>{});
    y[((size_t)blockIdx.z * channels_out + o) * pixels + p] = s;
}
