# expect: told escapes
import torch
from torch.utils.cpp_extension import load_inline

source = """
__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
    if (n == 0) printf("nothing\n");
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""
module = load_inline(name="add", cpp_sources="", cuda_sources=source, functions=["add"])
