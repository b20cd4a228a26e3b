"""A Python file, told from CUDA by its text, and the CUDA source in it. Nothing is run, or parsed as Python."""

from __future__ import annotations

import re

from worker.language import is_triton
from worker.messages import message
from worker.pastes.numbers import Untranslatable

_C_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_PYTHON = re.compile(
    r"^(?:import[ \t]+[a-zA-Z_][\w.]*(?:[ \t]+as[ \t]+\w+)?(?:,[^;]*)?[ \t]*(?:#.*)?$"
    r"|from[ \t]+[\w.]+[ \t]+import[ \t]|def[ \t]+\w+[ \t]*\(.*|class[ \t]+\w+[ \t]*(?:\(.*\))?[ \t]*:[ \t]*$)",
    re.MULTILINE,
)
_LITERAL = re.compile(r"""(?P<prefix>\b[A-Za-z]{1,2})?(?P<quotes>\"{3}|'{3})(?P<text>.*?)(?P=quotes)""", re.DOTALL)


def is_python(source: str) -> bool:
    """Whether lines begin as Python's do and as no line of CUDA does. Triton is told apart before."""
    plain = _C_COMMENT.sub("", _LITERAL.sub("''", source))
    return not is_triton(source) and _PYTHON.search(plain) is not None


def cuda_in_python(source: str) -> str:
    """The one string that holds kernels, alone and on its lines; Untranslatable where there is none to the letter."""
    found = [match for match in _LITERAL.finditer(source) if "__global__" in match["text"]]
    if not found:
        raise Untranslatable(message("paste-reason.no-cuda"))
    if len(found) > 1:
        raise Untranslatable(message("paste-reason.several-strings", found=len(found)))
    match = found[0]
    prefix = (match["prefix"] or "").lower()
    if "f" in prefix or ("r" not in prefix and "\\" in match["text"]):
        raise Untranslatable(message("paste-reason.escapes"))
    before = "\n" * source.count("\n", 0, match.start("text"))
    return before + match["text"]
