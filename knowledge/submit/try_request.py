"""What somebody asks to be tried, as typed on every face: `n=33`, `x=1,2,3`, `out[5]`, a case that went wrong."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from knowledge.errors import BadInput
from knowledge.store import Scope
from knowledge.submit.form import MOST_TRY_SIZE
from knowledge.submit.service import Submissions
from worker.protocol import CaseResult, Try

RANDOM = "uniform"
KINDS = (RANDOM, "normal", "ascending", "zeros", "ones", "alternating", "spike", "large", "tiny")
"""Of inputs, as forms offer them; a worker knows more."""
_SIZE = re.compile(r"([A-Za-z_]\w*)\s*=\s*(\d{1,9})")
_TYPED = re.compile(r"([A-Za-z_]\w*)\s*=([-+.\deE,\s]+)")
_ELEMENT = re.compile(r"([A-Za-z_]\w*)\s*\[\s*(\d{1,9})\s*\]")
_BETWEEN = re.compile(r"[,;\s]+(?=[A-Za-z_])")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class TryRequest:
    """Of one kernel, before it is known what a case was."""

    problem: str
    sizes: Mapping[str, int] = field(default_factory=dict)
    values: str = ""
    """A kind of inputs; empty: random, or as the case had them."""
    seed: int = 0
    typed: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    element: tuple[str, int] = ("", 0)
    """An output and an index in it; who wrote it is told."""
    line: int = 0
    case: int | None = None
    """Counted from 1 over the wrong cases of the member's last verdict on the problem."""


def sizes_of(text: str) -> dict[str, int]:
    """`n=33`, `rows=4,cols=40`; commas, semicolons, spaces and new lines may stand between."""
    parts = [part for part in _BETWEEN.split(text.strip(" ,;\t\r\n")) if part]
    found = [_SIZE.fullmatch(part.strip()) for part in parts]
    if not found or not all(found):
        raise BadInput("error.try.sizes")
    return {match[1]: int(match[2]) for match in found if match}


def inputs_of(given: Iterable[str]) -> tuple[str, dict[str, tuple[float, ...]]]:
    """A kind for all inputs, empty where none was named, and numbers by parameter."""
    values, typed = "", dict[str, tuple[float, ...]]()
    for one in given:
        if match := _TYPED.fullmatch(one.strip()):
            typed[match[1]] = _numbers(match[2], one)
        elif one.strip().isidentifier():
            values = RANDOM if one.strip() == "random" else one.strip()
        else:
            raise BadInput("error.try.input", text=one[:_SHOWN])
    return values, typed


def element_of(text: str) -> tuple[str, int]:
    """`out[5]`; nothing asks about none."""
    if not text.strip():
        return "", 0
    match = _ELEMENT.fullmatch(text.strip())
    if match is None:
        raise BadInput("error.try.element", text=text[:_SHOWN])
    return match[1], int(match[2])


async def asked_try(submissions: Submissions, scope: Scope, member: str, request: TryRequest) -> Try:
    """What the worker is told; sizes and kind of inputs come from the case where they were not named beside it."""
    sizes, values = dict(request.sizes), request.values
    if request.case is not None:
        case = await _wrong_case(submissions, scope, member, request.problem, request.case)
        sizes = sizes or _in_bounds(case.sizes, request.case)
        values = values or case.values
    output, index = request.element
    typed = dict(request.typed)
    return Try(request.problem, sizes, values or RANDOM, request.seed, typed, output, index, request.line)


async def _wrong_case(submissions: Submissions, scope: Scope, member: str, problem: str, number: int) -> CaseResult:
    """The one with this number, from 1, that went wrong in the member's last verdict on the problem."""
    for one in await submissions.mine(scope, member, 1, problem):
        verdict = await submissions.verdict(scope, one.submission)
        wrong = [result for result in verdict.cases if not result.ok] if verdict else []
        if 0 < number <= len(wrong):
            return wrong[number - 1]
    raise BadInput("error.try.case", case=number, problem=problem)


def _in_bounds(sizes: Mapping[str, int], case: int) -> dict[str, int]:
    for name, size in sizes.items():
        if not 1 <= size <= MOST_TRY_SIZE:
            raise BadInput("error.try.case_size", case=case, name=name, size=size, most=MOST_TRY_SIZE)
    return dict(sizes)


def _numbers(text: str, whole: str) -> tuple[float, ...]:
    try:
        numbers = tuple(float(number) for number in text.split(",") if number.strip())
    except ValueError:
        raise BadInput("error.try.input", text=whole[:_SHOWN]) from None
    if not numbers or not all(map(math.isfinite, numbers)):
        raise BadInput("error.try.input", text=whole[:_SHOWN])
    return numbers
