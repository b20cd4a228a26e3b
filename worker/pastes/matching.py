"""Which parameter of a host function, or of a kernel, is which of the problem's: by name, else by type and place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from worker.messages import message
from worker.pastes.arithmetic import kind_of
from worker.pastes.numbers import Kind, Untranslatable
from worker.problem import Param, Problem
from worker.problem.element import CUDA_NAMES

_SAME = (
    ("rows", "row", "m", "height", "h", "num_rows", "numrows", "nrows", "n_rows"),
    ("cols", "col", "columns", "n", "width", "w", "num_cols", "numcols", "ncols", "n_cols"),
    ("height", "rows", "h", "m"),
    ("width", "cols", "w", "n"),
)
"""What else a size of this name is called, the problem's own name first. `width, height` so finds its way; of single
letters nobody knows what they mean unless they come in the problem's order."""

_OUTPUTS = {"out", "output", "result", "res", "dst", "dest", "c", "y", "sum", "ret"}


@dataclass(frozen=True, slots=True)
class Taken:
    """A parameter as it stands in the source."""

    name: str
    pointer: bool
    const: bool
    type: str
    """The words before the name without qualifiers; a template's own where it is one."""

    @property
    def kind(self) -> Kind | None:
        return None if self.pointer else kind_of(self.type)


def taken(text: str) -> Taken:
    """`const float* __restrict__ a` in parts; Untranslatable for references, arrays and what has no name."""
    plain = re.sub(r"=.*\Z", "", text, flags=re.DOTALL)
    match = re.fullmatch(r"(.*?)([A-Za-z_]\w*)\s*(\[\s*\])?\s*", plain, re.DOTALL)
    if match is None or "&" in plain or plain.count("*") + bool(match[3]) > 1:
        raise Untranslatable(message("paste-reason.parameter", text=text.strip()))
    words = re.sub(r"__restrict__|__restrict|\brestrict\b|\bvolatile\b", " ", match[1])
    pointer = "*" in words or bool(match[3])
    before = words.split("*")[0]
    const = bool(re.search(r"\bconst\b", before))
    kind = " ".join(re.sub(r"\bconst\b|\bstruct\b|std::", " ", before).split())
    return Taken(match[2], pointer, const, kind)


def folded(name: str) -> str:
    """A name without what says where its memory lies: `d_A`, `A_d`, `dev_a` and `a` are one."""
    plain = re.sub(r"^(?:d|dev|device|gpu|g|cuda)_|_(?:d|dev|device|gpu|ptr|data)$", "", name.lower())
    if re.fullmatch(r"d[A-Z]\w*", name):
        plain = name[1:].lower()
    return plain.strip("_") or name.lower()


def matched(params: Sequence[Taken], problem: Problem) -> dict[str, str]:
    """The problem's name of each; Untranslatable where that is not certain."""
    pointers = [one for one in params if one.pointer]
    numbers = [one for one in params if not one.pointer]
    own = [one for one in problem.params if one.pointer]
    sizes = [one for one in problem.params if one.role == "size"]
    scalars = [one for one in problem.params if one.role == "scalar"]
    whole = [one for one in numbers if one.kind is not None and one.kind[0] in "iu"]
    others = [one for one in numbers if one not in whole]
    return {**_arrays(pointers, own), **_sizes(whole, sizes), **_scalars(others, scalars)}


def _arrays(given: list[Taken], wanted: list[Param]) -> dict[str, str]:
    if len(given) != len(wanted):
        names_here = [one.name for one in wanted]
        raise Untranslatable(message("paste-reason.arrays", found=len(given), wanted=len(wanted), names=names_here))
    names = {one.name.lower(): one for one in wanted}
    by_name = [names.get(folded(one.name)) for one in given]
    if all(by_name) and len({one.name for one in by_name if one}) == len(wanted):
        chosen = [one for one in by_name if one]
    else:
        chosen = wanted
        for one, named, placed in zip(given, by_name, wanted, strict=True):
            if named is not None and named is not placed:
                raise Untranslatable(message("paste-reason.order", name=one.name, place=placed.name))
        _check_outputs(given, wanted)
    for one, param in zip(given, chosen, strict=True):
        _check_array(one, param)
    return {one.name: param.name for one, param in zip(given, chosen, strict=True)}


def _check_outputs(given: list[Taken], wanted: list[Param]) -> None:
    """By place alone nothing is certain unless `const` or a name says which of them are written."""
    if any(one.const for one in given):
        return
    for one, param in zip(given, wanted, strict=True):
        says_output = any(part in _OUTPUTS for part in re.findall(r"[a-z]+", folded(one.name)))
        if says_output != (param.role in {"output", "inout"}) and folded(one.name) != param.name.lower():
            raise Untranslatable(message("paste-reason.which-output", name=one.name))


def _check_array(one: Taken, param: Param) -> None:
    ctype = CUDA_NAMES.get(one.type)
    if ctype is not None and ctype != param.ctype:
        raise Untranslatable(message("paste-reason.type", name=one.name, found=one.type, wanted=_type(param)))
    if ctype is None and one.type not in {"T", "scalar_t", "DType", "Type", "DataType"}:
        raise Untranslatable(message("paste-reason.type", name=one.name, found=one.type, wanted=_type(param)))
    if one.const and param.role != "input":
        raise Untranslatable(message("paste-reason.which-output", name=one.name))


def _type(param: Param) -> str:
    return next((name for name, ctype in CUDA_NAMES.items() if ctype == param.ctype), param.ctype)


def _sizes(given: list[Taken], wanted: list[Param]) -> dict[str, str]:
    if len(given) != len(wanted):
        names = [one.name for one in wanted]
        raise Untranslatable(message("paste-reason.sizes", found=len(given), wanted=len(wanted), names=names))
    if len(wanted) == 1:
        return {given[0].name: wanted[0].name}
    found: dict[str, str] = {}
    for one in given:
        named = [param.name for param in wanted if param.name.lower() == one.name.lower()]
        other = [
            group[0]
            for group in _SAME
            if one.name.lower() in group[1:] and group[0] in {param.name for param in wanted}
        ]
        if len(candidates := named or other) != 1:
            raise Untranslatable(message("paste-reason.which-size", name=one.name))
        found[one.name] = candidates[0]
    order = [found[one.name] for one in given]
    lettered = len(wanted) == 2 and any(len(one.name) == 1 for one in given)
    if len(set(order)) != len(order) or (lettered and order != [one.name for one in wanted]):
        raise Untranslatable(message("paste-reason.which-size", name=given[0].name))
    return found


def _scalars(given: list[Taken], wanted: list[Param]) -> dict[str, str]:
    if len(given) != len(wanted):
        raise Untranslatable(message("paste-reason.scalars", name=given[0].name if given else wanted[0].name))
    names = {one.name.lower(): one.name for one in wanted}
    if len(wanted) == 1:
        return {given[0].name: wanted[0].name}
    if not all(one.name.lower() in names for one in given):
        raise Untranslatable(message("paste-reason.scalars", name=given[0].name))
    return {one.name: names[one.name.lower()] for one in given}
