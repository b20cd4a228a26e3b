"""Launches as data: the `//! launch` and `//! scratch` lines of a submission.

`parse(source, problem)` gives a `Plan`; `Plan.resolve(sizes)` the numbers for one shape. Every mistake is a
DirectiveError with line, column and what was expected.
"""

from worker.directives.lines import MAX_LAUNCHES, MAX_SCRATCH
from worker.directives.parsing import parse, parse_judge
from worker.directives.plan import Arg, Buffer, ConcreteLaunch, ConcreteScratch, Plan, Resolved, Scalar

__all__ = [
    "MAX_LAUNCHES",
    "MAX_SCRATCH",
    "Arg",
    "Buffer",
    "ConcreteLaunch",
    "ConcreteScratch",
    "Plan",
    "Resolved",
    "Scalar",
    "parse",
    "parse_judge",
]
