// float4 for stride 1, single elements otherwise.
__global__ void saxpy_strided(float alpha, const float* x, float* y, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (stride != 1) {
        if (i < n) y[(long long)i * stride] = fmaf(alpha, x[(long long)i * stride], y[(long long)i * stride]);
        return;
    }
    if (i * 4 + 3 < n) {
        float4 u = reinterpret_cast<const float4*>(x)[i], v = reinterpret_cast<float4*>(y)[i];
        v.x = fmaf(alpha, u.x, v.x), v.y = fmaf(alpha, u.y, v.y), v.z = fmaf(alpha, u.z, v.z), v.w = fmaf(alpha, u.w, v.w);
        reinterpret_cast<float4*>(y)[i] = v;
    } else {
        for (int k = i * 4; k < min(n, i * 4 + 4); ++k) y[k] = fmaf(alpha, x[k], y[k]);
    }
}
