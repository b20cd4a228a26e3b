"""A problem's reference.py: trusted numpy in float64, the oracle of the small cases."""

from __future__ import annotations

import inspect
import runpy
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from worker.emulator.request import Ctype
from worker.errors import ProblemError
from worker.oracle import values
from worker.oracle.compare import Comparison, compare
from worker.oracle.tolerance import bound, growth_any_order
from worker.problem.element import ELEMENTS, Array
from worker.problem.model import Case, Param, Problem


@dataclass(frozen=True, slots=True)
class Inputs:
    """What one run gets: the bits of the buffers, the numbers of the scalars."""

    sizes: Mapping[str, int]
    buffers: Mapping[str, Array]
    """Input and inout parameters, flat, in their stored type."""
    scalars: Mapping[str, float | int]
    """Every number that is passed, sizes included, exactly as the kernel will see it."""


@dataclass(frozen=True, slots=True)
class Expected:
    outputs: Mapping[str, Array]
    """float64, or int64 for integer outputs, in the parameter's shape."""
    magnitudes: Mapping[str, Array]


class Oracle:
    """Runs reference.py; every mistake in it is a ProblemError."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        try:
            names = runpy.run_path(str(problem.reference_file))
        except Exception as error:
            raise self._mistake("file", f"does not run: {error}") from error
        if not callable(names.get("reference")):
            raise self._mistake("reference", "is missing: def reference(...) -> dict of outputs")
        self._reference: Callable[..., object] = names["reference"]
        self._asks_for = tuple(inspect.signature(self._reference).parameters)
        self._generate: Callable[..., object] | None = names.get("generate")

    def inputs(self, case: Case, seed: int) -> Inputs:
        """The same for the same seed and case, different for any other."""
        rng = np.random.default_rng([seed, case.index])
        own = self._own(case, rng)
        buffers = {
            param.name: param.element.encode(self._values(param, own, case, rng)).reshape(-1)
            for param in self._problem.inputs
        }
        return Inputs(
            case.sizes, buffers, {p.name: number_of(p, own, case, rng) for p in self._problem.params if not p.pointer}
        )

    def expected(self, inputs: Inputs) -> Expected:
        """What reference.py says of these inputs."""
        return self.expected_of({name: self._decoded(name, inputs) for name in inputs.buffers}, inputs)

    def expected_of(self, arrays: Mapping[str, Array], numbers: Inputs) -> Expected:
        """What reference.py says of these arrays, and of the sizes and scalars of `numbers`."""
        known: dict[str, Array | int | float] = {**arrays, **numbers.sizes, **numbers.scalars}
        wanted = self._asks_for
        for name in wanted:
            if name not in known:
                raise self._mistake("reference", f"asks for {name!r}; there are {', '.join(known)}")
        with np.errstate(all="ignore"):
            answer = self._reference(**{name: known[name] for name in wanted})
        if not isinstance(answer, dict):
            raise self._mistake("reference", f"expected a dict of outputs, found {type(answer).__name__}")
        return self._shaped(answer, numbers.sizes)

    def check(self, inputs: Inputs, expected: Expected, got: Mapping[str, Array]) -> Comparison:
        """The first output that is wrong, or the last one when all are right. `got` holds stored bits."""
        result = None
        for output in self._problem.outputs:
            result = self.check_one(output, inputs, expected, got[output.name])
            if not result.ok:
                return result
        assert result is not None  # noqa: S101  # a problem without outputs does not load
        return result

    def check_one(self, output: Param, inputs: Inputs, expected: Expected, got: Array) -> Comparison:
        growth = growth_any_order(self._problem.check.operations.value(inputs.sizes))
        wanted, magnitude = expected.outputs[output.name], expected.magnitudes.get(output.name)
        allowed = bound(self._problem.check, output.element, growth, wanted, magnitude)
        return compare(output.name, output.element, got, wanted, allowed)

    def _own(self, case: Case, rng: np.random.Generator) -> Mapping[str, ArrayLike]:
        """What `generate` of reference.py makes; it may leave parameters out."""
        if self._generate is None:
            return {}
        made = self._generate(rng, dict(case.sizes), case.values)
        if not isinstance(made, dict):
            raise self._mistake("generate", f"expected a dict of inputs, found {type(made).__name__}")
        known = {param.name for param in self._problem.params}
        for name in made.keys() - known:
            raise self._mistake("generate", f"makes {name!r}, which is no parameter")
        return made

    def _values(self, param: Param, own: Mapping[str, ArrayLike], case: Case, rng: np.random.Generator) -> Array:
        shape = param.shape_at(case.sizes)
        if param.name in own:
            made = np.asarray(own[param.name])
            if made.shape != shape:
                raise self._mistake("generate", f"{param.name}: expected the shape {shape}, found {made.shape}")
            return made
        return values.draw(case.values, param.element, param.elements_at(case.sizes), rng, _bounds(param, case))

    def _decoded(self, name: str, inputs: Inputs) -> Array:
        param = self._problem.param(name)
        return param.element.decode(inputs.buffers[name]).reshape(param.shape_at(inputs.sizes))

    def _shaped(self, answer: Mapping[str, ArrayLike], sizes: Mapping[str, int]) -> Expected:
        outputs, magnitudes = {}, {}
        for output in self._problem.outputs:
            if output.name not in answer:
                raise self._mistake("reference", f"does not return {output.name!r}")
            kind: Ctype = output.ctype if output.element.family == "integer" else "f64"
            outputs[output.name] = self._one(output.name, answer[output.name], output.shape_at(sizes), kind)
            if (name := f"magnitude_{output.name}") in answer:
                magnitudes[output.name] = self._one(name, answer[name], output.shape_at(sizes), "f64")
        unknown = answer.keys() - outputs.keys() - {f"magnitude_{name}" for name in outputs}
        for name in sorted(unknown):
            raise self._mistake("reference", f"returns {name!r}, which is no output")
        return Expected(outputs, magnitudes)

    def _one(self, name: str, value: ArrayLike, shape: tuple[int, ...], kind: Ctype) -> Array:
        array = np.asarray(value)
        if array.shape != shape:
            raise self._mistake("reference", f"{name}: expected the shape {shape}, found {array.shape}")
        if ELEMENTS[kind].family == "integer":
            return array.astype(np.uint64 if kind == "u64" else np.int64)
        return array.astype(np.float64)

    def _mistake(self, key: str, what: str) -> ProblemError:
        return ProblemError(self._problem.reference_file, key, what)


def _bounds(param: Param, case: Case) -> values.Bounds | None:
    if param.range is None:
        return None
    low, high = (b if isinstance(b, float) else b.value(case.sizes) for b in param.range)
    return low, high


def number_of(param: Param, own: Mapping[str, ArrayLike], case: Case, rng: np.random.Generator) -> float | int:
    """A scalar as the kernel sees it, rounded to its type."""
    if param.role == "size":
        return case.sizes[param.name]
    if param.name in own:
        raw: ArrayLike = own[param.name]
    elif param.value is None:
        low, high = _bounds(param, case) or (0.5, 2.0)
        raw = rng.uniform(low, high)
    else:
        raw = param.value if isinstance(param.value, float) else param.value.value(case.sizes)
    exact = param.element.decode(param.element.encode(np.asarray([raw])))[0]
    return float(exact) if param.element.family == "float" else int(exact)
