"""CUDA source to PTX and cubin by NVRTC, in the sandbox, with what each kernel uses of the card."""

from worker.compile.compiler import MAX_SOURCE_BYTES, Compiled, Compiler, OwnModule, open_compiler
from worker.compile.resources import Kernel, Parameter

__all__ = ["MAX_SOURCE_BYTES", "Compiled", "Compiler", "Kernel", "OwnModule", "Parameter", "open_compiler"]
