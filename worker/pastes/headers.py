"""Headers that only host code needs: an adapted paste goes without them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from worker.compile.headers import HOST_ONLY, STAND_INS

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"][^\n]*', re.MULTILINE)


def host_headers(text: str) -> Iterator[tuple[int, int, str]]:
    """Offsets of the lines that include what only host code needs, and what of it a kernel may need."""
    for match in _INCLUDE.finditer(text):
        name = match[1]
        if name not in STAND_INS and (name in HOST_ONLY or name in _NOT_HERE or name.startswith(_FOLDERS)):
            needed = "#include <cstdint>" if name.startswith(("torch/", "ATen/")) else ""
            yield match.start(), match.end(), needed


_FOLDERS = ("torch/", "ATen/", "c10/", "pybind11/", "thrust/host", "sys/")
_NOT_HERE = frozenset(
    {
        "Python.h", "cublas_v2.h", "cublas.h", "cudnn.h", "curand.h", "cusolverDn.h", "cusparse.h", "unistd.h",
        "time.h", "ctime", "omp.h", "helper_cuda.h", "helper_functions.h", "windows.h", "getopt.h", "ctype.h",
        "cctype", "cuda_profiler_api.h", "nvToolsExt.h",
    }
)  # fmt: skip
