// Expected values of conv1x1 in double: one thread per pixel and group of 16 output channels.
//! launch expect_conv<<<dim3(ceil_div(pixels, 256), ceil_div(channels_out, 16), batch), 256>>>(x, w, bias, expected_y, magnitude_y, channels_in, channels_out, pixels)

__global__ void expect_conv(const float* x, const float* w, const float* bias, double* expected, double* magnitude,
                            int channels_in, int channels_out, int pixels) {
    long long pixel = blockIdx.x * 256LL + threadIdx.x;
    if (pixel >= pixels) return;
    const int first = blockIdx.y * 16;
    double sum[16] = {}, total[16] = {};
    for (int c = 0; c < channels_in; ++c) {
        double value = x[((long long)blockIdx.z * channels_in + c) * pixels + pixel];
#pragma unroll
        for (int o = 0; o < 16; ++o) {
            double term = first + o < channels_out ? value * w[(first + o) * channels_in + c] : 0.0;
            sum[o] += term;
            total[o] += fabs(term);
        }
    }
#pragma unroll
    for (int o = 0; o < 16; ++o) {
        if (first + o >= channels_out) break;
        long long to = ((long long)blockIdx.z * channels_out + first + o) * pixels + pixel;
        expected[to] = sum[o] + bias[first + o];
        magnitude[to] = total[o] + fabs(double(bias[first + o]));
    }
}
