"""Kernels found in pages: the name, parameters and features of each, in one line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from indexer.lists.snippets import code_features, code_language, code_name
from knowledge.library.passages import content_hash

_PARAMETERS = re.compile(r"__global__\s+[^({]*?\b(\w+)\s*\((?P<parameters>[^)]*)\)", re.DOTALL)
_USES = {
    "shared-memory": "shared memory",
    "barrier": "a barrier",
    "shuffles": "warp shuffles",
    "atomics": "atomics",
    "tensor-cores": "tensor cores",
    "async-copy": "asynchronous copies",
    "streams": "streams",
    "cuda-graph": "a CUDA graph",
    "2d-index": "two-dimensional indices",
    "launch": "a launch",
}
_LANGUAGES = {"cuda": "CUDA", "triton": "Triton", "cpp": "C++", "c": "C", "python": "Python"}


@dataclass(frozen=True, slots=True)
class Snippet:
    content_hash: str
    language: str
    name: str
    parameters: tuple[str, ...]
    features: tuple[str, ...]
    description: str


def describe(code: str, label: str = "") -> Snippet:
    """Describe a snippet by its content; the fence's label decides only where the code itself does not."""
    language = code_language(code, label)
    name, parameters = _signature(code) if language == "cuda" else (code_name(code) or "", ())
    features = code_features(code, language)
    return Snippet(
        content_hash=content_hash(code),
        language=language,
        name=name,
        parameters=parameters,
        features=features,
        description=_line(language, name, parameters, features),
    )


def is_kernel(snippet: Snippet) -> bool:
    return "kernel" in snippet.features


def worth_compiling(printed: Sequence[Snippet]) -> list[Snippet]:
    """Choose the kernels of a page's code, and beside them the C and C++ functions that they are compared with."""
    if not any(map(is_kernel, printed)):
        return []
    return [one for one in printed if is_kernel(one) or (one.name and one.language in {"c", "cpp", "cuda"})]


def _signature(code: str) -> tuple[str, tuple[str, ...]]:
    found = _PARAMETERS.search(code)
    if found is None:
        return code_name(code) or "", ()
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", "", found["parameters"], flags=re.DOTALL)
    parameters = tuple(" ".join(part.split()) for part in plain.split(",") if part.strip())
    return code_name(code) or found[1], parameters


def _line(language: str, name: str, parameters: tuple[str, ...], features: tuple[str, ...]) -> str:
    """Return, for example: CUDA kernel reduce(const float* x, int n); uses shared memory, a barrier."""
    if language not in _LANGUAGES or not name:
        return ""
    what = "kernel" if "kernel" in features or language == "triton" else "function"
    uses = [words for feature, words in _USES.items() if feature in features]
    takes = f"({', '.join(parameters)})" if parameters else ""
    return f"{_LANGUAGES[language]} {what} {name}{takes}" + (f"; uses {', '.join(uses)}" if uses else "")
