"""How near do predicted times come to measured ones? Fits the cost model's constants and says how far they are off.

`python bench/cost_model.py` counts every right CUDA solution on the emulator, predicts its time on the card of
content/solution_times.json, and fits the constants of knowledge/prediction to what was measured there. The error that
it tells is that of problems which the fit did not see: each problem in turn is left out. No card is needed; some
minutes.
Writes bench/results/cost-model.md and knowledge/prediction/constants.json.
"""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import json
import math
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.stats import kendalltau

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from knowledge.content.solution_times import SolutionTimes, load_solution_times  # noqa: E402
from knowledge.prediction.model import Constants  # noqa: E402
from knowledge.prediction.predict import Predicted, predict  # noqa: E402
from worker.config import WorkerConfig  # noqa: E402
from worker.directives import parse  # noqa: E402
from worker.emulator.request import Emulation, Request  # noqa: E402
from worker.emulator.run import emulate  # noqa: E402
from worker.hardware.cards import CardFacts, find_card  # noqa: E402
from worker.judge import open_tools  # noqa: E402
from worker.judge.ports import Trial  # noqa: E402
from worker.judge.sampling import count_timed  # noqa: E402
from worker.judge.tools import DEFAULT_ARCH, Tools  # noqa: E402
from worker.protocol import Backend, Counted  # noqa: E402

CONTENT = ROOT / "content"
REPORT = ROOT / "bench" / "results" / "cost-model.md"
CONSTANTS = ROOT / "knowledge" / "prediction" / "constants.json"

START = Constants(
    dram_share=0.9, l2_bytes=50, pieces=3, issue_share=0.8, l1_turns=1, tensor_share=0.6, global_clocks=700,
    shared_clocks=28, barrier_clocks=30, instruction_clocks=5, block_clocks=900, atomic_clocks=0.45, sharpness=4,
    launch_us=2,
)  # fmt: skip
"""What is known of such cards; the fit is held near it where no time says otherwise."""

FREE = tuple(field.name for field in dataclasses.fields(Constants) if field.name != "launch_us")
"""No measured kernel is so short that a launch shows."""

HELD = 0.003
ROUNDS, STEPS = 3, 6
ENOUGH_TO_RANK = 3
"""Solutions of a problem, of different speed, for an order among them."""
DIFFERENT = 0.03
"""Times nearer to one another than this are one speed: what a measurement wavers."""


@dataclass(frozen=True)
class Row:
    problem: str
    solution: str
    counted: Counted
    measured_us: float


def count_all(tools: Tools, times: SolutionTimes) -> Iterator[Row]:
    """Count every right solution at every size that was measured."""
    for slug, problem in sorted(tools.problems.items()):
        for path in problem.solutions("right"):
            measured = {tuple(time.sizes.items()): time.median_us for time in times.of_solution(slug, path.stem)}
            if path.suffix != ".cu" or not measured:
                continue
            source = path.read_text(encoding="utf-8")
            plan = parse(source, problem)
            compiled = tools.compiler.compile(source, DEFAULT_ARCH, plan.kernels)
            trial = Trial(problem, tools.oracles[slug], plan, compiled, 0, source)
            for counted in asyncio.run(count_timed(trial, compiled.ptx, _emulated)):
                yield Row(slug, path.stem, counted, measured[tuple(counted.sizes.items())])


async def _emulated(request: Request) -> Emulation:
    return emulate(request)


def fit(rows: Sequence[Row], card: CardFacts) -> Constants:
    """Return the constants that bring the predictions nearest, by the mean distance of their logarithms."""
    start = np.array([math.log(getattr(START, name)) for name in FREE])
    values = start
    for _ in range(ROUNDS):
        found = minimize(
            lambda at: _distance(at, rows, card) + HELD * float(np.sum((at - start) ** 2)),
            values, method="Powell", options={"maxiter": STEPS, "ftol": 1e-4},
        )  # fmt: skip
        values = found.x
    return _constants(values)


def _constants(values: np.ndarray) -> Constants:
    found = {name: round(float(math.exp(value)), 4) for name, value in zip(FREE, values, strict=True)}
    return dataclasses.replace(START, **found)


def _distance(values: np.ndarray, rows: Sequence[Row], card: CardFacts) -> float:
    constants = _constants(values)
    beyond = sum(max(0.0, share - 0.97) for share in (constants.dram_share, constants.issue_share))
    beyond += max(0.0, constants.tensor_share - 1) + max(0.0, 1.5 - constants.sharpness)
    errors = [math.log(_us(row, card, constants) / row.measured_us) for row in rows]
    return statistics.fmean(math.sqrt(error**2 + 0.01) for error in errors) + 10 * beyond


def _us(row: Row, card: CardFacts, constants: Constants) -> float:
    return _predicted(row, card, constants).us


def _predicted(row: Row, card: CardFacts, constants: Constants) -> Predicted:
    made = predict(row.counted, card, constants)
    assert made is not None  # the card ran it
    return made


def unseen(rows: Sequence[Row], card: CardFacts) -> list[Predicted]:
    """Return for each row what is predicted by constants that its problem had no part in."""
    by_problem = {
        problem: fit([row for row in rows if row.problem != problem], card)
        for problem in sorted({row.problem for row in rows})
    }
    return [_predicted(row, card, by_problem[row.problem]) for row in rows]


def orders(rows: Sequence[Row], made: Sequence[Predicted]) -> dict[str, tuple[int, float]]:
    """Return by problem and size how many solutions there are, and Kendall's tau of the two orders."""
    groups: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for row, one in zip(rows, made, strict=True):
        sizes = " ".join(f"{name}={size}" for name, size in row.counted.sizes.items())
        groups[f"{row.problem} {sizes}"].append((row.measured_us, one.us))
    found = {}
    for name, pairs in groups.items():
        speeds = [_speed(pair[0], [other[0] for other in pairs]) for pair in pairs]
        if len(set(speeds)) >= ENOUGH_TO_RANK:
            found[name] = len(pairs), float(kendalltau(speeds, [pair[1] for pair in pairs], variant="b").statistic)
    return found


def _speed(us: float, all_us: Sequence[float]) -> int:
    """Return the number of the speed: times within the noise of one another have the same."""
    ordered, speed = sorted(all_us), 0
    for before, after in itertools.pairwise(ordered):
        if after > us:
            break
        speed += after > before * (1 + DIFFERENT)
    return speed


def report(rows: Sequence[Row], made: Sequence[Predicted], times: SolutionTimes, constants: Constants) -> str:
    errors = [abs(one.us / row.measured_us - 1) for row, one in zip(rows, made, strict=True)]
    ranks = orders(rows, made)
    four = {name: tau for name, (count, tau) in ranks.items() if count > ENOUGH_TO_RANK}
    said = (
        f"Measured with driver {times.driver}, {times.date} (content/solution_times.json). Made by "
        "`python bench/cost_model.py`. Each problem is predicted with constants that were fitted without it."
    )
    solutions, problems = {_name(row) for row in rows}, {row.problem for row in rows}
    near = (
        f"- median error: {statistics.median(errors):.1%}; three quarters are within "
        f"{np.quantile(errors, 0.75):.1%}, the worst is {max(errors):.0%} off; {len(rows)} times of "
        f"{len(solutions)} solutions to {len(problems)} problems"
    )
    mean = statistics.fmean(tau for _, tau in ranks.values())
    ranked = (
        f"- Kendall's tau within a problem: {mean:.2f} on average over the {len(ranks)} (problem, size) with three "
        f"or more different speeds; with four or more solutions that could be counted: "
        f"{', '.join(f'{name} {tau:.2f}' for name, tau in four.items()) or 'none'}"
    )
    left_out = [_name(row) for row, one in zip(rows, made, strict=True) if not one.ranked]
    grown = (
        f"- extrapolated from smaller sizes: {sum(one.extrapolated for one in made)}; not ranked: "
        f"{', '.join(left_out) or 'none'}"
    )
    head = "| problem | solution | measured, us | predicted, us | error | limited by | from |"
    lines = [f"# Predicted and measured times on {times.card}", "", said, "", near, ranked, grown]
    lines += ["", head, "| --- | --- | ---: | ---: | ---: | --- | --- |"]
    for row, one in zip(rows, made, strict=True):
        limits = " ".join(f"{limit} {share:.0%}" for limit, share in list(one.shares.items())[:3])
        source = "smaller sizes" if one.extrapolated else "this size"
        error = one.us / row.measured_us - 1
        times_of = f"{row.measured_us:.1f} | {one.us:.1f} | {error:+.0%}"
        lines.append(f"| {row.problem} | {row.solution} | {times_of} | {limits} | {source} |")
    lines += ["", "| problem, size | solutions | tau |", "| --- | ---: | ---: |"]
    lines += [f"| {name} | {count} | {tau:.2f} |" for name, (count, tau) in ranks.items()]
    lines += ["", "Constants, fitted over all of them:", "", "| constant | value |", "| --- | ---: |"]
    lines += [f"| {name} | {value} |" for name, value in dataclasses.asdict(constants).items()]
    return "\n".join(lines) + "\n"


def _name(row: Row) -> str:
    return f"{row.problem}/{row.solution}"


def constants_file(constants: Constants, times: SolutionTimes, errors: Sequence[float]) -> str:
    document: Mapping[str, object] = {
        "card": times.card,
        "date": times.date,
        "median_error": round(statistics.median(errors), 4),
        "constants": dataclasses.asdict(constants),
    }
    return json.dumps(document, indent=1) + "\n"


def main() -> None:
    times = load_solution_times(CONTENT)
    card = find_card(times.card)
    assert card is not None  # a row of our own table
    with tempfile.TemporaryDirectory() as data:
        config = dataclasses.replace(
            WorkerConfig(), content_dir=CONTENT, data_dir=Path(data), judge_backend=Backend.EMULATOR
        )
        with open_tools(config) as tools:
            rows = list(count_all(tools, times))
    made, constants = unseen(rows, card), fit(rows, card)
    errors = [abs(one.us / row.measured_us - 1) for row, one in zip(rows, made, strict=True)]
    CONSTANTS.write_text(constants_file(constants, times, errors), encoding="utf-8")
    REPORT.write_text(report(rows, made, times, constants), encoding="utf-8")
    print(REPORT.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
