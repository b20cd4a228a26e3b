// One thread, one pixel, 16 output channels.
//
// Idea: a loaded input serves 16 sums in registers before it is dropped; the weights of the 16 channels lie in
// shared memory, 64 input channels at a time.
// Cost: for up to 16 output channels each input is read once and each output written once. All lanes want the same
// weight at the same moment, which shared memory broadcasts; stored with the output channel innermost, one 16-byte
// access brings four weights.
// Why 16: the sums have to be registers, so their number must be known to the compiler.

//! launch conv1x1<<<dim3(ceil_div(pixels, 256), ceil_div(channels_out, 16), batch), 256>>>(x, w, bias, y, batch, channels_in, channels_out, pixels)

constexpr int kOut = 16, kIn = 64;

__global__ void __launch_bounds__(256) conv1x1(const float* __restrict__ x, const float* __restrict__ w,
                                               const float* __restrict__ bias, float* __restrict__ y, int batch,
                                               int channels_in, int channels_out, int pixels) {
    __shared__ __align__(16) float weights[kIn][kOut];
    const int pixel = blockIdx.x * 256 + threadIdx.x;
    const int first = blockIdx.y * kOut;
    const float* from = x + (long long)blockIdx.z * channels_in * pixels;
    float* to = y + (long long)blockIdx.z * channels_out * pixels;

    float sum[kOut] = {};
    for (int c0 = 0; c0 < channels_in; c0 += kIn) {
        __syncthreads();  // the last weights have been used
        for (int i = threadIdx.x; i < kIn * kOut; i += 256) {
            int c = c0 + i / kOut, o = first + i % kOut;
            weights[i / kOut][i % kOut] = c < channels_in && o < channels_out ? w[o * channels_in + c] : 0.0f;
        }
        __syncthreads();
        if (pixel < pixels) {
            for (int c = c0; c < min(c0 + kIn, channels_in); ++c) {
                float value = from[(long long)c * pixels + pixel];
#pragma unroll
                for (int o = 0; o < kOut; ++o) sum[o] += weights[c - c0][o] * value;
            }
        }
    }
#pragma unroll
    for (int o = 0; o < kOut; ++o) {
        if (pixel < pixels && first + o < channels_out) {
            to[(long long)(first + o) * pixels + pixel] = sum[o] + bias[first + o];
        }
    }
}
