"""The referee's own kernels by name, compiled once in the sandbox like anybody's."""

from __future__ import annotations

from importlib.resources import files

from worker.compile import Compiled, Compiler
from worker.errors import InfrastructureError
from worker.problem.element import ELEMENTS

C_TYPES = {
    "i8": "signed char",
    "u8": "unsigned char",
    "i16": "short",
    "u16": "unsigned short",
    "i32": "int",
    "u32": "unsigned",
    "i64": "long long",
    "u64": "unsigned long long",
    "f16": "__half",
    "bf16": "__nv_bfloat16",
    "f32": "float",
    "f64": "double",
}


def fill(ctype: str) -> str:
    return f"fill<{C_TYPES[ctype]}>"


def compare(ctype: str) -> str:
    family = next(element.family for element in ELEMENTS.values() if element.ctype == ctype)
    return f"compare_{family}s<{C_TYPES[ctype]}>"


NAMES = (
    *(fill(ctype) for ctype in C_TYPES),
    *(compare(ctype) for ctype in C_TYPES),
    "compare_pattern",
    "compare_words<unsigned>",
    "compare_words<unsigned char>",
    "read_all",
    "read_streaming",
    "copy_streaming",
    "fma_float",
    "fma_double",
    "fma_half",
    "tensor_half",
    "tensor_int8",
)


def compile_tools(compiler: Compiler, arch: str) -> Compiled:
    source = files("worker.gpu").joinpath("referee.cu").read_text(encoding="utf-8")
    compiled = compiler.compile(source, arch, NAMES)
    if not compiled.ok:
        raise InfrastructureError(f"the referee's own kernels do not compile for {arch}: {compiled.log[:300]}")
    return compiled
