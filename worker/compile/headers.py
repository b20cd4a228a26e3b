"""Headers that NVRTC lacks and members include out of habit, and where the real CUDA headers are."""

from __future__ import annotations

import importlib.util
from pathlib import Path

_NOTHING = "// device code needs nothing of this header\n"

_FLOAT_LIMITS = """#pragma once
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
"""

_INTEGER_LIMITS = """#pragma once
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX 18446744073709551615ull
"""

STAND_INS: dict[str, str] = {
    **dict.fromkeys(
        (
            "stdio.h", "stdlib.h", "string.h", "math.h", "assert.h", "cstdio", "cstdlib", "cstring", "cmath",
            "cassert", "iostream", "cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h",
        ),
        _NOTHING,
    ),
    "stdint.h": "#include <cuda/std/cstdint>\nusing namespace cuda::std;\n",
    "stddef.h": "#include <cuda/std/cstddef>\n",
    "cstdint": "#include <stdint.h>\nnamespace std { using namespace cuda::std; }\n",
    "cstddef": "#include <cuda/std/cstddef>\n",
    "limits.h": _INTEGER_LIMITS,
    "climits": _INTEGER_LIMITS,
    "float.h": _FLOAT_LIMITS,
    "cfloat": _FLOAT_LIMITS,
    "cub/cub.cuh": "".join(
        f"#include <cub/{name}.cuh>\n"
        for name in (
            "block/block_discontinuity", "block/block_exchange", "block/block_histogram", "block/block_load",
            "block/block_radix_sort", "block/block_reduce", "block/block_scan", "block/block_store",
            "warp/warp_exchange", "warp/warp_reduce", "warp/warp_scan",
        )
    ),
}  # fmt: skip
"""Host headers stand empty (printf, sqrtf and their kind are built in); of cub the parts that run in a kernel."""


IN_LIBCUXX = frozenset(
    {
        "array", "atomic", "barrier", "bit", "bitset", "chrono", "complex", "concepts", "expected", "functional",
        "initializer_list", "inplace_vector", "iterator", "latch", "limits", "mdspan", "memory", "numbers", "numeric",
        "optional", "ranges", "ratio", "semaphore", "span", "tuple", "type_traits", "utility", "variant", "version",
    }
)  # fmt: skip
"""Of C++'s standard headers those that are there as `cuda/std/…`."""

INSTEAD = {"vector": "array", "list": "array", "deque": "array", "algorithm": "utility", "thread": "barrier"}
"""Of those that are not, which comes nearest."""

HOST_ONLY = frozenset(
    {
        "algorithm", "any", "cerrno", "condition_variable", "deque", "exception", "execution", "filesystem", "format",
        "forward_list", "fstream", "future", "iomanip", "ios", "iostream", "istream", "list", "locale", "map",
        "mutex", "new", "ostream", "queue", "random", "regex", "set", "shared_mutex", "sstream", "stack", "stdexcept",
        "streambuf", "string", "string_view", "strstream", "thread", "typeindex", "typeinfo", "unordered_map",
        "unordered_set", "valarray", "vector",
    }
)  # fmt: skip


def standard(name: str) -> bool:
    return name in IN_LIBCUXX or name in HOST_ONLY


def include_folders() -> tuple[Path, ...]:
    """CUDA's own headers from the wheels, then CCCL's (cub, libcu++)."""
    spec = importlib.util.find_spec("nvidia")
    for root in (spec.submodule_search_locations or []) if spec else []:
        include = Path(root) / "cu13" / "include"
        if (include / "cuda_fp16.h").is_file():
            return include, include / "cccl"
    raise FileNotFoundError("no CUDA headers: pip install nvidia-cuda-runtime nvidia-cuda-cccl")
