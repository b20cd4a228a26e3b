"""What a message about a name means: a slip, a host function, a header that is missing, a kernel that is none."""

from __future__ import annotations

import re

from worker.compile.headers import IN_LIBCUXX, INSTEAD, standard
from worker.diagnosis.source import TYPES, CompilerError, Context, Found, Source, line_of

_HOST_ONLY = frozenset(
    {
        "cout", "cin", "cerr", "endl", "vector", "string", "std", "rand", "srand", "time", "fopen", "fprintf", "exit",
    }
)  # fmt: skip

_HEADERS = {
    "half": "cuda_fp16.h", "half2": "cuda_fp16.h", "__half": "cuda_fp16.h", "__half2": "cuda_fp16.h",
    "__half2float": "cuda_fp16.h", "__float2half": "cuda_fp16.h", "__hadd": "cuda_fp16.h", "__hmul": "cuda_fp16.h",
    "__hfma": "cuda_fp16.h", "__nv_bfloat16": "cuda_bf16.h", "__bfloat162float": "cuda_bf16.h",
    "__float2bfloat16": "cuda_bf16.h", "uint8_t": "cstdint", "int8_t": "cstdint", "uint16_t": "cstdint",
    "int16_t": "cstdint", "uint32_t": "cstdint", "int32_t": "cstdint", "uint64_t": "cstdint", "int64_t": "cstdint",
    "FLT_MAX": "cfloat", "FLT_MIN": "cfloat", "FLT_EPSILON": "cfloat", "DBL_MAX": "cfloat", "INT_MAX": "climits",
    "INT_MIN": "climits", "UINT_MAX": "climits", "cooperative_groups": "cooperative_groups.h", "nvcuda": "mma.h",
    "wmma": "mma.h", "cub": "cub/cub.cuh",
}  # fmt: skip


def undefined(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    """The most common message of all: a slip, a host function, a missing header, or simply no such name."""
    name, source = match[1], context.source
    if error.launch:
        return _no_such_kernel(name, context)
    line = source.line(error.line or 0)
    if header := _HEADERS.get(name):
        return "missing-include", error.line, {"name": name, "header": header}
    if re.fullmatch(r"__(shfl(_up|_down|_xor)?|any|all|ballot)", name):
        return "removed-shuffle", error.line, {"name": name}
    if re.fullmatch(r"cuda[A-Z]\w*|cublas\w*|cudnn\w*|malloc_host|cu[A-Z][a-z]\w+", name):
        return "host-api-in-kernel", error.line, {"name": name}
    if name in _HOST_ONLY:
        return "host-library", error.line, {"name": name}
    if re.search(rf"\[[^\[\]]*\b{name}\b[^\[\]]*\]", line) and re.search(r"__global__|__device__", line):
        return "unbounded-array-parameter", error.line, {}
    nearest = source.nearest(name)
    if nearest in TYPES:
        return "misspelt-type", error.line, {"name": name, "nearest": nearest}
    return "undeclared-name", error.line, {"name": name} | ({"nearest": nearest} if nearest else {})


def _no_such_kernel(name: str, context: Context) -> Found:
    names = tuple(function for _, _, function, _ in context.source.functions())
    nearest = context.source.nearest(name, names) if names else None
    near = {"nearest": nearest} if nearest in names else {}
    return "unknown-kernel", None, {"kernel": name} | near


def kernel_signature(match: re.Match[str], error: CompilerError, context: Context) -> Found | None:
    """NVRTC blames the attribute when a parameter's type is unknown: look for that type."""
    for number, before, _, params in context.source.functions():
        if "__global__" not in before and "__device__" not in before:
            continue
        for part in params.split(","):
            words = [
                word for word in re.findall(r"[A-Za-z_]\w*", part) if word not in {"const", "volatile", "struct"}
            ]
            if (
                words
                and words[0] not in TYPES
                and not re.search(rf"(typedef|using|struct|class|typename)[^;]*\b{words[0]}\b", context.source.code)
            ):
                return _undefined_type(words[0], number, context)
            if words and words[0] in _HEADERS and _HEADERS[words[0]] not in context.source.text:
                return "missing-include", number, {"name": words[0], "header": _HEADERS[words[0]]}
    return None


def _undefined_type(name: str, line: int, context: Context) -> Found:
    if header := _HEADERS.get(name):
        return "missing-include", line, {"name": name, "header": header}
    nearest = context.source.nearest(name)
    if nearest in TYPES:
        return "misspelt-type", line, {"name": name, "nearest": nearest}
    return "undeclared-name", line, {"name": name} | ({"nearest": nearest} if nearest else {})


def host_function(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    """Unannotated or __host__: the kernel itself, main, a helper that a kernel calls, or just a helper."""
    name = next((name for line, _, name, _ in context.source.functions() if line == error.line), None)
    if name is None and error.line is None and (included := _included(context.source)):
        return "unavailable-header", included[1], {"name": included[0]}
    if name is None:
        return "host-function", error.line, {}
    if name == "main":
        return "main-in-kernel", error.line, {}
    if name in {kernel.split("<")[0] for kernel in context.kernels}:
        return "missing-global", error.line, {"name": name}
    call = _called_from_kernel(name, context.source)
    if call is not None:
        return "host-call-from-device", call, {"name": name, "declared": error.line}
    return "host-function", error.line, {"name": name}


def _called_from_kernel(name: str, source: Source) -> int | None:
    """The line of a call of it behind some __global__ or __device__."""
    inside = False
    for number, line in enumerate(source.code.split("\n"), start=1):
        inside = inside or "__global__" in line or "__device__" in line
        if inside and re.search(rf"\b{name}\s*\(", line) and not re.search(rf"\w\s+{name}\s*\([^;]*\)\s*\{{", line):
            return number
    return None


def not_global(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    name = match[1]
    line = next((line for line, _, function, _ in context.source.functions() if function == name), None)
    return "missing-global", line, {"name": name}


def host_variable(match: re.Match[str], error: CompilerError, context: Context) -> Found | None:
    """A statement outside of functions, a kernel with a strange parameter type, or a variable without __device__."""
    line = context.source.line(error.line or 0)
    if re.match(r"\s*[\w.\[\]]+\s*[-+*/]?=[^=]", line):
        return "statement-outside-function", error.line, {}
    return (
        None if "__global__" in context.source.code and re.search(r"\(", line) else ("missing-type", error.line, {})
    )


def specifier(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    line = context.source.line(error.line or 0)
    word = re.match(r"\s*(\w+)", line)
    if word and (nearest := context.source.nearest(word[1])) in {"__global__", "__device__", "__shared__"}:
        return "undeclared-name", error.line, {"name": word[1], "nearest": nearest}
    outside = re.match(r"\s*[\w.\[\]]+\s*([-+*/]?=[^=]|\()", line)
    return ("statement-outside-function" if outside else "missing-type"), error.line, {}


def header(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    """An error inside a header of CUDA's names the #include that led there."""
    name, line = match[1], error.line
    if line is None:
        name, line = _included(context.source) or (name, line)
    if name in IN_LIBCUXX:
        return "standard-header", line, {"name": name, "instead": name}
    if standard(name):
        near = {"instead": INSTEAD[name]} if name in INSTEAD else {}
        return "host-header", line, {"name": name} | near
    return "unavailable-header", line, {"name": name}


def _included(source: Source) -> tuple[str, int] | None:
    """The #include that is likeliest to have led into the header where an error is, and its line."""
    include = re.search(r'#\s*include\s*[<"]([^>"]+)[>"]', source.text)
    thrust = re.search(r'#\s*include\s*[<"](thrust/[^>"]+)[>"]', source.text)
    chosen = thrust or include
    return (chosen[1], line_of(source.text, chosen.start())) if chosen else None


def member_of_namespace(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    if match[1] == "std":
        return "host-library", error.line, {"name": f"std::{match[2]}"}
    nearest = context.source.nearest(match[2])
    evidence = {"type": match[1], "name": match[2]} | ({"nearest": nearest} if nearest else {})
    return "unknown-member", error.line, evidence


def qualified(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    line = context.source.line(error.line or 0)
    name = next(iter(re.findall(r"\b(\w+)\s*::", line)), "std")
    if header := _HEADERS.get(name):
        return "missing-include", error.line, {"name": name, "header": header}
    return "undeclared-name", error.line, {"name": name}


def unresolved(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    plain = re.match(r"_Z(\d+)", match[1])
    name = match[1][plain.end() : plain.end() + int(plain[1])] if plain else match[1]
    return "unresolved-function", None, {"name": name}


def operands(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    if "half" in context.source.code:
        return "half-operation", error.line, {}
    return "ambiguous-call", error.line, {"name": f"operator {match[1]}"}


def incompatible(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    if "extern" in context.source.line(error.line or 0):
        return "conflicting-extern-shared", error.line, {}
    return "redeclared", error.line, {"name": match[1]}


def static_shared(match: re.Match[str], error: CompilerError, context: Context) -> Found:
    return (
        "too-much-static-shared",
        None,
        {"kernel": match[1], "bytes": int(match[2], 16), "limit": int(match[3], 16)},
    )
