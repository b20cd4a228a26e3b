"""What is sent to a card and what is made of its answer: nothing here needs one."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from tests.integration.worker.kept_children import kept_compiler
from worker.compile import Compiled, Parameter, open_compiler
from worker.directives import parse
from worker.gpu import cases as small
from worker.gpu.backend import compile_judge
from worker.gpu.card import compile_tools
from worker.gpu.large_shape import Shape, allowed
from worker.gpu.layout import bits, launches, lay_out, shared_bytes
from worker.gpu.wire import At
from worker.judge.ports import Trial
from worker.oracle import Oracle, bound, growth_random
from worker.problem import Problem, load, load_all
from worker.sandbox import choose

PROBLEMS = Path(__file__).parents[4] / "content" / "problems"
POISON = np.frombuffer((0xFFFFFF93).to_bytes(4, "little"), np.uint8)


def test_buffers_and_guards_tile_the_memory_without_gap_or_overlap() -> None:
    layout = lay_out({"a": 1000, "empty": 0, "b": 7}, guard=4096)
    pieces = sorted([(place.offset, place.bytes) for place in layout.places] + list(layout.guards))
    at = 0
    for offset, size in pieces:
        assert offset == at
        at += size
    assert at == layout.bytes
    assert all(place.offset % 512 == 0 for place in layout.places)
    assert all(size >= 4096 for _, size in layout.guards)


@pytest.mark.parametrize(
    ("value", "param", "expected"),
    [
        (-1, Parameter("word", 4), b"\xff\xff\xff\xff"),
        (-1, Parameter("word", 8), b"\xff" * 8),
        (3, Parameter("float", 4), struct.pack("<f", 3.0)),
        (0.5, Parameter("float", 8), struct.pack("<d", 0.5)),
    ],
)
def test_a_number_is_passed_at_the_width_the_kernel_declares(value: float, param: Parameter, expected: bytes) -> None:
    assert bits(value, param) == expected


@pytest.fixture(scope="module")
def trial() -> Trial:
    """saxpy_strided has an inout array, a drawn scalar and gaps."""
    problem = load(PROBLEMS / "saxpy_strided")
    in_cuda = [path for path in problem.solutions("right") if path.suffix == ".cu"]
    source = in_cuda[-1].read_text(encoding="utf-8")
    plan = parse(source, problem)
    with open_compiler(choose(), None) as compiler:
        compiled = compiler.compile(source, "sm_90a", plan.kernels)
    assert compiled.ok
    return Trial(problem, Oracle(problem), plan, compiled, seed=11)


def answered(trial: Trial, run: small.SmallRun) -> bytearray:
    """The memory as a right kernel leaves it."""
    inputs = run.inputs
    stride, alpha = inputs.sizes["stride"], np.float32(inputs.scalars["alpha"])
    y = inputs.buffers["y"].copy()
    y[::stride] += alpha * inputs.buffers["x"][::stride]
    place, image = run.layout["y"], bytearray(run.image)
    image[place.offset : place.end] = y.tobytes()
    return image


def test_a_right_answer_in_otherwise_untouched_memory_is_accepted(trial: Trial) -> None:
    for case in trial.problem.cases():
        run = small.prepare(trial, case, POISON)
        outcome = small.judge(trial, run, bytes(answered(trial, run)))
        assert outcome.clean, case
        assert outcome.comparison.ok, case


def test_memory_that_nothing_was_written_to_is_no_answer() -> None:
    problem = load(PROBLEMS / "vector_add")
    plan = parse("", problem)
    case = problem.cases()[0]
    layout = lay_out({p.name: p.elements_at(case.sizes) * 4 for p in problem.params if p.pointer}, 4096)
    inputs = Oracle(problem).inputs(case, 1)
    image = np.tile(POISON, layout.bytes // 4).tobytes()
    empty = Compiled(True, "", False, 0.0, "sm_90a")
    outcome = small.judge(
        Trial(problem, Oracle(problem), plan, empty, 1), small.SmallRun(case, inputs, layout, image, ()), image
    )
    assert outcome.comparison.mismatches == case.sizes["n"]
    assert outcome.comparison.nans == case.sizes["n"]


@pytest.mark.parametrize("where", ["before", "between", "behind"])
def test_one_byte_in_a_guard_zone_is_found(trial: Trial, where: str) -> None:
    run = small.prepare(trial, trial.problem.cases()[3], POISON)
    image = answered(trial, run)
    x, y = run.layout["x"], run.layout["y"]
    image[{"before": x.offset - 1, "between": x.end, "behind": y.end + 5}[where]] ^= 1
    assert small.judge(trial, run, bytes(image)).guards_damaged == 1


def test_a_changed_input_is_found_though_the_answer_is_right(trial: Trial) -> None:
    run = small.prepare(trial, trial.problem.cases()[3], POISON)
    image = answered(trial, run)
    image[run.layout["x"].offset] ^= 1
    outcome = small.judge(trial, run, bytes(image))
    assert outcome.comparison.ok
    assert outcome.inputs_changed == ("x",)


def test_launches_name_places_and_the_shared_memory_they_take(trial: Trial) -> None:
    run = small.prepare(trial, trial.problem.cases()[-1], POISON)
    assert run.launches
    offsets = {arg.offset for launch in run.launches for arg in launch.args if isinstance(arg, At)}
    assert offsets <= {place.offset for place in run.layout.places}
    assert set(shared_bytes(run.launches)) == {launch.kernel for launch in run.launches}


def test_an_empty_launch_is_not_made(trial: Trial) -> None:
    resolved = trial.plan.resolve(trial.problem.cases()[0].sizes)
    nothing = [launch.__class__(launch.kernel, (0, 1, 1), launch.block, 0, (), 0) for launch in resolved.launches]
    none = resolved.__class__(tuple(nothing), ())
    assert launches(trial.compiled, none, lay_out({}, 0), trial.problem, {}) == ()


@pytest.mark.parametrize("problem", load_all(PROBLEMS).values(), ids=lambda problem: problem.slug)
def test_the_referee_allows_what_the_oracle_allows(problem: Problem) -> None:
    rng = np.random.default_rng(5)
    for bench in problem.bench:
        for output in problem.outputs:
            if output.element.family == "integer":
                continue
            expected, magnitude = rng.normal(size=50), np.abs(rng.normal(size=50)) * 3
            growth = growth_random(problem.check.operations.value(bench.sizes))
            wanted = bound(problem.check, output.element, growth, expected, magnitude)
            share, fixed_size, own_step, constant = allowed(problem, output, bench.sizes)
            size = np.abs(expected)
            scale = np.full_like(size, fixed_size) if fixed_size >= 0 else np.maximum(size, magnitude)
            scale = size if problem.check.rule == "ulp" else scale
            assert share * scale + own_step * size + constant == pytest.approx(wanted, rel=1e-12)


@pytest.mark.slow
def test_every_judge_compiles_and_its_order_covers_the_memory() -> None:
    """With minutes for a source, not ten seconds by the clock: those pass on busy cores while our tools compile."""
    with kept_compiler(choose(), seconds=120.0) as compiler:
        assert compile_tools(compiler, "sm_90a").ok
        for problem in load_all(PROBLEMS).values():
            judge = compile_judge(problem, compiler, "sm_90a")
            resolved = parse("", problem).resolve(problem.bench[0].sizes)
            shape = Shape.of(problem, problem.bench[0].sizes, judge, resolved)
            order = shape.order(resolved, shape.arena.bytes)
            assert {one.kernel for one in shape.judge_launches({})} <= order.shared.keys()
            assert {one.kernel for one in order.inputs if one.kernel} <= order.shared.keys()
            covered = sum(4 * place.words for place in order.poisoned) + sum(one.bytes for one in order.inputs)
            assert shape.arena.bytes <= covered < shape.arena.bytes + 4 * (len(order.inputs) + 1)
            assert all(type(bound) is float for one in order.inputs for bound in one.range)
