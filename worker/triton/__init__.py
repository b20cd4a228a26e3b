"""Triton kernels: a Python file with `@triton.jit` functions and `#! launch` lines, judged as CUDA is.

`is_triton(source)` tells the language. A sandboxed child runs the member's file, nobody else does, and compiles its
kernels as far as PTX; `plan` makes launches of them, which emulator and card run as they run what NVRTC made.
"""

from worker.language import is_triton

__all__ = ["is_triton"]
