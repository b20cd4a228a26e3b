"""Code in lists: its language, judged by the code and not by the fence's label, and the features that it uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

_SHELL = re.compile(r"\A\s*(?:%%(?:shell|bash|sh)\b|!\s*\w|\$ |#!.*\b(?:ba|z)?sh\b)")
_CUDA = re.compile(
    r"__(?:global|device|shared|constant)__|<<<.*>>>|\bcuda[A-Z]\w+|\b(?:thread|block)(?:Idx|Dim)\.|\bdim3\b|__syncthreads"
)
_TRITON = re.compile(r"@triton\.(?:jit|autotune)|\btl\.(?:load|store|program_id)\b")
_CPP = re.compile(
    r"\bstd::|\btemplate\s*<|\bclass\s+\w+|#include\s*<(?:iostream|vector|memory|thread)>|\bauto\s+\w+\s*="
)
_C = re.compile(
    r"^\s*#include\b|\b(?:void|int|float|double|char)\s+\**\w+\s*\([^)]*\)\s*\{|;\s*(?://.*)?$", re.MULTILINE
)
_PYTHON = re.compile(
    r"^\s*(?:import \w|from \w[\w.]* import|def \w+\(.*\).*:|class \w+.*:|@\w|print\()", re.MULTILINE
)

FEATURES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "kernel": re.compile(r"__global__"),
        "device-function": re.compile(r"__device__\s+(?!.*__global__)\w"),
        "launch": re.compile(r"<<<"),
        "host-program": re.compile(r"\bint\s+main\s*\("),
        "bounds-check": re.compile(r"\bif\s*\(\s*\w+\s*<\s*\w+"),
        "2d-index": re.compile(r"\b(?:thread|block)Idx\.y"),
        "device-memory": re.compile(r"\bcudaMalloc"),
        "copies": re.compile(r"\bcudaMemcpy"),
        "error-check": re.compile(r"\bcudaGetLastError|\bcudaGetErrorString"),
        "device-query": re.compile(r"\bcudaGetDeviceProperties|\bcudaDeviceGetAttribute"),
        "shared-memory": re.compile(r"__shared__"),
        "barrier": re.compile(r"__syncthreads|__syncwarp"),
        "shuffles": re.compile(r"__shfl_\w+|__ballot_sync|__reduce_\w+_sync"),
        "atomics": re.compile(r"\batomic[A-Z]\w+|\bcuda::atomic"),
        "tensor-cores": re.compile(r"\bwmma::|\bmma\.sync|\bwgmma|\bldmatrix"),
        "async-copy": re.compile(r"\bcp\.async|\bmemcpy_async|__pipeline_|\bcp_async"),
        "streams": re.compile(r"\bcudaStream"),
        "cuda-graph": re.compile(r"\bcudaGraph"),
    }
)

_KERNEL_NAME = re.compile(r"__global__\s+(?:__launch_bounds__\([^)]*\)\s*|(?!__launch_bounds__)\w+\s+)*(\w+)\s*\(")
_FUNCTION_NAME = re.compile(r"^\s*(?:__device__\s+)?(?:[\w:<>*&]+\s+)+\**(\w+)\s*\([^;]*?\)\s*\{", re.MULTILINE)
_PYTHON_NAME = re.compile(r"^\s*def (\w+)\(", re.MULTILINE)


def code_language(code: str, label: str = "") -> str:
    """Return the language of a piece of code; `label` decides only where the code itself does not."""
    for name, pattern in (("shell", _SHELL), ("triton", _TRITON), ("cuda", _CUDA), ("cpp", _CPP)):
        if pattern.search(code):
            return name
    if _PYTHON.search(code) and not _C.search(code):
        return "python"
    if _C.search(code):
        return "c"
    return label.split(maxsplit=1)[0].lower() if label.strip() else "text"


def code_name(code: str) -> str | None:
    """Return the first kernel's name, else that of the first function other than main."""
    if kernel := _KERNEL_NAME.search(code):
        return kernel.group(1)
    names = [*_FUNCTION_NAME.findall(code), *_PYTHON_NAME.findall(code)]
    return next((name for name in names if name not in {"main", "if", "for", "while", "switch"}), None)


def code_features(code: str, language: str) -> tuple[str, ...]:
    """Return the features that a CUDA snippet uses, in the order of the table."""
    return tuple(name for name, pattern in FEATURES.items() if pattern.search(code)) if language == "cuda" else ()
