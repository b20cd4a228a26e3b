"""What a file's top level names for its host code: helpers of one line, constants."""

from __future__ import annotations

import re

from worker.pastes.arithmetic import Helper, Names, kind_of, parse
from worker.pastes.numbers import Cast, Number, Untranslatable
from worker.pastes.pieces import Pieces

_OPEN_TYPE = re.compile(r"(?:const\s+)?(?:auto|[A-Z])(?:\s*const)?")
"""The type of a template's parameter: whatever is given."""


def helpers_of(pieces: Pieces) -> dict[str, Helper]:
    """Functions that return one expression of their parameters; not overloads, nor types that nobody here knows."""
    found: dict[str, Helper] = {}
    names = [one.name for one in pieces.functions]
    for one in pieces.functions:
        body = re.fullmatch(r"\s*return\b([^;{}]*);\s*", pieces.body(one))
        params = [re.fullmatch(r"(.*?)([A-Za-z_]\w*)", part.strip(), re.DOTALL) for part in one.params]
        if body is None or one.kind == "kernel" or not all(params) or names.count(one.name) > 1:
            continue
        head = re.sub(r"template\s*<[^<>]*>|__\w+__|\b(?:inline|static|constexpr|__forceinline__)\b", " ", one.head)
        given = tuple((match[2], kind_of(match[1].strip())) for match in params if match)
        types = [head.strip(), *(match[1].strip() for match in params if match)]
        if any(kind_of(kind) is None and not _OPEN_TYPE.fullmatch(kind) for kind in types):
            continue
        found[one.name] = Helper(given, kind_of(head.strip()), body[1])
    return found


def globals_of(pieces: Pieces, names: Names) -> dict[str, Number]:
    """Constants of the file's top level."""
    found: dict[str, Number] = {}
    for one in pieces.statements:
        text = pieces.code[one.start : one.end - 1]
        match = re.fullmatch(r"\s*((?:(?:static|inline|const|constexpr)\s+)+[\w\s:]*?)(\w+)\s*=(.*)", text, re.DOTALL)
        if match and "const" in match[1] and (kind := kind_of(match[1])):
            try:
                found[match[2]] = Cast(kind, parse(match[3], Names(found, names.macros, names.helpers)))
            except Untranslatable:
                continue
    return found
