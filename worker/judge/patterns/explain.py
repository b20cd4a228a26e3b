"""From the runs of a wrong kernel to one explanation: patterns in the order of how much they say."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from worker.judge.patterns.of_amounts import explanation_by_amount, explanation_by_factor, explanation_by_rows
from worker.judge.patterns.of_inputs import explanation_by_inputs
from worker.judge.patterns.of_numbers import (
    explanation_by_rounding,
    explanation_by_width,
    explanation_of_infinities,
    explanation_of_nans,
    with_nans,
)
from worker.judge.patterns.of_output import (
    explanation_by_copy,
    explanation_by_formula,
    explanation_by_place,
    explanation_by_scan,
)
from worker.judge.patterns.places import values_that_fail, when, where
from worker.judge.patterns.seen import Explanation, Found, Run, Seen, Trouble
from worker.judge.patterns.unwritten import explanation_of_unwritten
from worker.oracle import Oracle
from worker.problem import Problem
from worker.problem.model import Param

BUDGET_S = 0.08
"""Of this thread, for everything: a member waits for the verdict."""


def _patterns(trouble: Trouble) -> Iterator[tuple[Found | None, bool]]:
    """Each with whether it also says which elements are right; the most telling first."""
    yield explanation_by_scan(trouble), False
    yield explanation_by_copy(trouble) if trouble.varied else None, True
    yield explanation_by_width(trouble), False
    some_right = any(not one.wrong.all() for one in trouble.wrong)
    for everywhere in (True, False) if some_right else (True,):
        yield explanation_by_place(trouble, everywhere=everywhere), everywhere
        if not trouble.varied:
            continue
        yield explanation_by_factor(trouble, everywhere=everywhere), everywhere
        yield explanation_by_amount(trouble, everywhere=everywhere), everywhere
        yield explanation_by_inputs(trouble, everywhere=everywhere), everywhere
        yield explanation_by_formula(trouble, everywhere=everywhere), everywhere
        if everywhere:
            yield explanation_by_rounding(trouble), False
            yield explanation_by_rows(trouble), True


def explain(
    problem: Problem, oracle: Oracle, source: str, runs: Sequence[Run], *, nearly_right: bool = False
) -> Explanation | None:
    """What the wrong numbers show; None rather than a guess. `nearly_right`: rounding alone may explain them."""
    output = _first_wrong(problem, runs)
    if output is None:
        return None
    seen = tuple(Seen(problem, run, output) for run in runs)
    trouble = Trouble(problem, oracle, source, seen, time.thread_time() + BUDGET_S)
    if found := explanation_of_unwritten(trouble):
        return _placed(found, trouble)
    finite = trouble.without(with_nans(trouble))
    if finite.wrong and (found := explanation_of_infinities(finite)):
        return _placed(found, finite)
    if finite.wrong and (found := _by_patterns(finite)):
        return found
    if len(finite.wrong) < len(trouble.wrong):
        found = explanation_of_nans(trouble)
        return found and _placed(found, trouble)
    return None if nearly_right else _by_places(trouble)


def where_stored(problem: Problem, runs: Sequence[Run]) -> Explanation | None:
    """At least the line that stored the first wrong element, where it is known."""
    output = _first_wrong(problem, runs)
    if output is None:
        return None
    line = next((one.line for one in (Seen(problem, run, output) for run in runs) if one.count), None)
    return Explanation("wrong-stored-here", line, {"output": output.name}) if line else None


def _first_wrong(problem: Problem, runs: Sequence[Run]) -> Param | None:
    """The first output that is wrong in any run: later ones may follow from it."""
    for output in problem.outputs:
        if any(Seen(problem, run, output).count for run in runs):
            return output
    return None


def _by_patterns(trouble: Trouble) -> Explanation | None:
    for found, everywhere in _patterns(trouble):
        if found:
            id_, evidence = found
            whole = Explanation(id_, trouble.wrong[0].line, {"output": trouble.output.name, **evidence})
            return _stored(whole, trouble) if everywhere else _placed(whole, trouble)
        if trouble.late:
            return None
    return None


def _by_places(trouble: Trouble) -> Explanation | None:
    """Where it is wrong and when, if that is not everywhere and always."""
    if not trouble.wrong or not (where(trouble) or when(trouble) or values_that_fail(trouble)):
        return None
    found = Explanation("wrong-places", trouble.wrong[0].line, {"output": trouble.output.name})
    return _placed(found, trouble)


def _stored(found: Explanation, trouble: Trouble) -> Explanation:
    """With the element as the storing line writes it, and the values with which alone it goes wrong."""
    parts = {"store": store_on(trouble, found.line), "when": values_that_fail(trouble)}
    given = {name: part for name, part in parts.items() if part}
    return replace(found, evidence={**given, **found.evidence})


def _placed(found: Explanation, trouble: Trouble) -> Explanation:
    """Also with the places, and the sizes at which it goes wrong."""
    parts = {
        "where": where(trouble),
        "when": when(trouble, found.evidence.get("size", found.evidence.get("axis"))),
    }
    placed = replace(found, evidence={**found.evidence, **{name: part for name, part in parts.items() if part}})
    return _stored(placed, trouble)


def store_on(trouble: Trouble, line: int | None) -> str | None:
    """`c[row * n + col]`, as the line writes it."""
    lines = trouble.source.splitlines()
    if line is None or not 1 <= line <= len(lines):
        return None
    match = re.search(rf"\b{trouble.output.name}\s*\[[^=;]*?\](?=\s*[-+*/]?=(?!=))", lines[line - 1])
    return match[0] if match and len(match[0]) <= 60 else None
