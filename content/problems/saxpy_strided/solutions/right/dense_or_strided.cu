// 16-byte accesses where the elements are neighbours, single ones one block width apart where they are not.
//
// Idea: with stride 1 a thread updates one float4. Otherwise it takes four elements, 256 elements apart from each other,
// so that the accesses of a warp stay as dense as the stride permits.
// Cost: the sectors touched, nothing else: 12 bytes per element with stride 1, 48 with stride 4.
// Why not four consecutive elements per thread when they are strided: neighbouring threads would then stand 4 * stride
// apart, every load would touch 32 sectors, and the next load would need the rest of the same ones.

//! launch saxpy_strided<<<ceil_div(n, 1024), 256>>>(alpha, x, y, n, stride)

__global__ void __launch_bounds__(256) saxpy_strided(float alpha, const float* __restrict__ x, float* __restrict__ y,
                                                     int n, int stride) {
    const int first = blockIdx.x * 1024;         // of this block
    if (stride == 1 && first + 1024 <= n) {      // the same for all its threads
        const float4 u = reinterpret_cast<const float4*>(x + first)[threadIdx.x];
        float4* to = reinterpret_cast<float4*>(y + first) + threadIdx.x;
        const float4 v = *to;
        *to = make_float4(alpha * u.x + v.x, alpha * u.y + v.y, alpha * u.z + v.z, alpha * u.w + v.w);
        return;
    }
#pragma unroll 1
    for (int k = 0; k < 1024; k += 256) {
        const int i = first + k + threadIdx.x;
        if (i < n) {
            const long long position = (long long)i * stride;
            y[position] = alpha * x[position] + y[position];
        }
    }
}
