"""A pasted error message is looked up by its own words."""

from __future__ import annotations

import pytest

from knowledge.ask.pasted_error import LONGEST_TELLING, telling_part

TRACEBACK = """Traceback (most recent call last):
  File "/home/bob/train.py", line 12, in <module>
    model(x)
  File "/usr/lib/python3/site-packages/torch/nn/modules/module.py", line 1501, in _call_impl
    return forward_call(*args, **kwargs)
RuntimeError: CUDA error: device-side assert triggered
CUDA kernel errors might be asynchronously reported at some other API call.
"""
COMPILER = """nvcc -o app /home/bob/app.cu
/home/bob/app.cu(12): error: identifier "tmp" is undefined
/home/bob/app.cu(90): error: expected a ";"
2 errors detected in the compilation of "/home/bob/app.cu".
"""


TERMINATED = """terminate called after throwing an instance of 'thrust::system::system_error'
  what():  radix_sort: failed on 1st step: cudaErrorInvalidDeviceFunction: invalid device function
"""


@pytest.mark.parametrize(
    ("pasted", "telling"),
    [
        (TRACEBACK, "device-side assert triggered"),
        (COMPILER, "identifier is undefined"),
        (
            "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23 GiB in all)",
            "CUDA out of memory. Tried to allocate",
        ),
        (
            "CUDA error: an illegal memory access was encountered at /home/bob/main.cu:42",
            "an illegal memory access was encountered",
        ),
        ("ImportError: /usr/lib/libtorch.so: undefined symbol: _ZN3c104cuda9SetDeviceEi", "undefined symbol"),
        ("nvcc fatal   : Unsupported gpu architecture 'compute_35'", "Unsupported gpu architecture"),
        (
            "I get CUDA error: no kernel image is available for execution on the device, how do I fix it?",
            "no kernel image is available for execution on the device",
        ),
        ("训练时报错 CUDA error: device-side assert triggered 怎么办", "device-side assert triggered"),
        (
            TERMINATED,
            "cudaErrorInvalidDeviceFunction: invalid device function",
        ),
        ("cudaErrorMisalignedAddress: misaligned address", "cudaErrorMisalignedAddress: misaligned address"),
        (
            "OSError: libcudart.so.12: cannot open shared object file: No such file or directory",
            "cannot open shared object file",
        ),
        (
            "triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 131072, limit: 101376",
            "out of resource",
        ),
        (
            "[rank1]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=680) ran for 600013 ms",
            "Watchdog caught collective operation timeout",
        ),
        ("what does CUBLAS_STATUS_NOT_INITIALIZED mean?", "CUBLAS_STATUS_NOT_INITIALIZED"),
    ],
)
def test_paths_numbers_and_names_are_left_out(pasted: str, telling: str) -> None:
    assert telling_part(pasted) == telling


@pytest.mark.parametrize(
    "question",
    [
        "How does cudaError_t work?",
        "Why is an illegal memory access reported late?",
        "What happens when the GPU runs out of memory?",
        "怎么检查 CUDA 的错误",
        "",
    ],
)
def test_a_question_about_errors_is_no_pasted_one(question: str) -> None:
    assert telling_part(question) == ""


def test_a_long_log_is_looked_up_by_one_line() -> None:
    log = "\n".join(f"step {n}: loss 0.{n}" for n in range(300)) + "\n" + TRACEBACK
    assert telling_part(log) == "device-side assert triggered"
    assert len(telling_part("error: " + "word " * 900)) <= LONGEST_TELLING
