# expect: accepted kernelbot
#!POPCORN leaderboard vectoradd_v2
from task import input_t, output_t
import torch
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
#include <torch/extension.h>

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

torch::Tensor add(torch::Tensor a, torch::Tensor b) {
    auto c = torch::empty_like(a);
    const int n = a.numel();
    const int threads = 256;
    add_kernel<<<(n + threads - 1) / threads, threads>>>(
        a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), n);
    return c;
}
"""
cpp_source = "torch::Tensor add(torch::Tensor a, torch::Tensor b);"
module = load_inline(name="add", cpp_sources=[cpp_source], cuda_sources=[cuda_source], functions=["add"])


def custom_kernel(data: input_t) -> output_t:
    a, b = data
    return module.add(a, b)
