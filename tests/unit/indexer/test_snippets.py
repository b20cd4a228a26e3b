"""What is said of a kernel in one line."""

from __future__ import annotations

from indexer.snippets import describe, is_kernel, worth_compiling

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


def test_beside_a_kernel_the_function_that_it_is_compared_with_is_worth_compiling_too() -> None:
    loop = describe("void add(flaot a[], float b[]) {\n    a[0] += b[0];\n}", label="py")
    shell, python = describe("$ nvcc -o a a.cu", label="bash"), describe("def f(x):\n    return x", label="py")
    kernel = describe(KERNEL, label="py")
    assert worth_compiling([loop, shell, kernel, python]) == [loop, kernel]
    assert worth_compiling([loop, shell, python]) == []
