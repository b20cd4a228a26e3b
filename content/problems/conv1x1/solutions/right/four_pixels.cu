// Four pixels by 16 output channels per thread, eight 16-byte loads in flight.
//
// Idea: as with 16 outputs per pixel, but a thread owns four neighbouring pixels: one float4 load brings four
// inputs, one 16-byte read of shared memory brings four weights, and the two together make 16 multiply-adds.
// Cost: each input once, each output once; 64 sums in registers.
// Why eight loads at once: the channels of a pixel are far apart in memory and each one is a trip of its own. Loaded
// one by one the thread would wait sixteen times.

//! launch conv1x1<<<dim3(ceil_div(pixels, 512), ceil_div(channels_out, 16), batch), 128>>>(x, w, bias, y, batch, channels_in, channels_out, pixels)

constexpr int kThreads = 128, kOut = 16, kIn = 64, kAhead = 8;

// Four neighbours from p on, zeros behind the last pixel.
__device__ __forceinline__ float4 load4(const float* row, int p, int pixels, bool aligned) {
    if (aligned && p < pixels) return *reinterpret_cast<const float4*>(row + p);
    return make_float4(p + 0 < pixels ? row[p + 0] : 0.0f, p + 1 < pixels ? row[p + 1] : 0.0f,
                       p + 2 < pixels ? row[p + 2] : 0.0f, p + 3 < pixels ? row[p + 3] : 0.0f);
}

__global__ void __launch_bounds__(kThreads) conv1x1(const float* __restrict__ x, const float* __restrict__ w,
                                                    const float* __restrict__ bias, float* __restrict__ y, int batch,
                                                    int channels_in, int channels_out, int pixels) {
    __shared__ __align__(16) float weights[kIn][kOut];
    const int p = (blockIdx.x * kThreads + threadIdx.x) * 4;
    const int first = blockIdx.y * kOut;
    const bool aligned = pixels % 4 == 0;
    const float* from = x + (long long)blockIdx.z * channels_in * pixels;
    float* to = y + (long long)blockIdx.z * channels_out * pixels;

    float4 sum[kOut];
#pragma unroll
    for (int o = 0; o < kOut; ++o) {
        float start = first + o < channels_out ? bias[first + o] : 0.0f;
        sum[o] = make_float4(start, start, start, start);
    }
    for (int c0 = 0; c0 < channels_in; c0 += kIn) {
        const int here = min(kIn, channels_in - c0);
        __syncthreads();  // the last weights have been used
        for (int i = threadIdx.x; i < kIn * kOut; i += kThreads) {
            int c = c0 + i / kOut, o = first + i % kOut;
            weights[i / kOut][i % kOut] = c < channels_in && o < channels_out ? w[o * channels_in + c] : 0.0f;
        }
        __syncthreads();
        for (int c1 = 0; c1 < here; c1 += kAhead) {
            float4 v[kAhead];
#pragma unroll
            for (int k = 0; k < kAhead; ++k) {
                // Channels past the end are read as channel c0 once more; their weights are zero.
                int c = c1 + k < here ? c0 + c1 + k : c0;
                v[k] = load4(from + (long long)c * pixels, p, pixels, aligned);
            }
#pragma unroll
            for (int k = 0; k < kAhead; ++k) {
                if (c1 + k >= here) break;
#pragma unroll
                for (int o = 0; o < kOut; ++o) {
                    float weight = weights[c1 + k][o];
                    sum[o].x += weight * v[k].x;
                    sum[o].y += weight * v[k].y;
                    sum[o].z += weight * v[k].z;
                    sum[o].w += weight * v[k].w;
                }
            }
        }
    }
#pragma unroll
    for (int o = 0; o < kOut; ++o) {
        if (first + o >= channels_out) break;
        float* row = to + (long long)(first + o) * pixels;
        if (aligned && p < pixels) {
            *reinterpret_cast<float4*>(row + p) = sum[o];
        } else {
            if (p + 0 < pixels) row[p + 0] = sum[o].x;
            if (p + 1 < pixels) row[p + 1] = sum[o].y;
            if (p + 2 < pixels) row[p + 2] = sum[o].z;
            if (p + 3 < pixels) row[p + 3] = sum[o].w;
        }
    }
}
