"""What is said of a kernel in one line."""

from __future__ import annotations

from indexer.snippets import describe, is_kernel

KERNEL = """template <int N>
__global__ void reduce(const float* __restrict__ x, // the input
                       float* out, int n) {
    __shared__ float part[N];
    part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    float v = __shfl_down_sync(~0u, part[0], 1);
    atomicAdd(out, v);
}"""


def test_a_kernel_is_described_by_name_parameters_and_features_whatever_its_fence_says() -> None:
    found = describe(KERNEL, label="py")
    assert is_kernel(found)
    assert (found.language, found.name) == ("cuda", "reduce")
    assert found.parameters == ("const float* __restrict__ x", "float* out", "int n")
    assert found.description == (
        "CUDA kernel reduce(const float* __restrict__ x, float* out, int n); "
        "uses shared memory, a barrier, warp shuffles, atomics"
    )


def test_shell_commands_are_no_kernel_and_get_no_description() -> None:
    found = describe("$ nvcc -o a a.cu", label="bash")
    assert not is_kernel(found)
    assert found.description == ""
