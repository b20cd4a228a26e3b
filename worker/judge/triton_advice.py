"""Advice on a Triton kernel in Triton's words: its text, its memory accesses, its warps, what it was tuned over."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from worker.diagnosis import FindingCatalogue
from worker.diagnosis.performance import ENOUGH_REQUESTS, WASTE_SHARE, default_card, wasteful
from worker.directives.plan import listed
from worker.errors import DirectiveError
from worker.judge.ports import CasesReport, Trial
from worker.protocol import Finding, Kind
from worker.triton.plan import WARP, CompiledPlan
from worker.triton.sight import Advice
from worker.triton.wire import Configuration

SCHEDULERS = 4
"""Of a multiprocessor: each issues the instructions of one warp at a time."""

SLACK = 1.5
"""Triton gives each lane some elements in a row and, where a mask may cut them, moves them one by one: as many
sectors for an access as a lane has bytes, and they are found in the cache. More than that lie far apart."""

REGISTERS = 255
"""Of 32 bits, that a thread has at most."""


def advise_triton(
    catalogue: FindingCatalogue, trial: Trial, emulated: CasesReport, kind: Kind, fastest: Trial | None
) -> tuple[Finding, ...]:
    """`fastest`: what the card ran quickest, where it timed the kernel and found it right."""
    assert trial.triton is not None  # noqa: S101  # asked of Triton kernels alone
    found = list[Advice]()
    if kind in {Kind.ACCEPTED, Kind.WRONG_ANSWER}:
        found += trial.triton.advice(emulated.cases, right=kind is Kind.ACCEPTED)
        found += _tuned(trial, fastest)
    if fastest is None:
        found += trial.triton.too_far()
    if kind is Kind.ACCEPTED:
        found += _scattered(trial, emulated)
        found += _starving(trial)
        found += _crowded(fastest or trial)
    return tuple(catalogue.finding(name, line, **evidence) for name, line, evidence in dict(_first(found)).values())


def _first(found: list[Advice]) -> Iterator[tuple[tuple[str, int | None], Advice]]:
    """Each finding once at a line."""
    for one in reversed(found):
        yield (one[0], one[1]), one


def _scattered(trial: Trial, emulated: CasesReport) -> Iterator[Advice]:
    """Lines on which the lanes of a warp lie far apart, unless nothing is wasted at the sizes that are timed."""
    if emulated.counted and not wasteful(emulated.counted):
        return
    own = _bytes_of_a_lane(trial)
    for counts in (emulated.counts or {}).values():
        for line, figures in sorted(counts.by_line.items()):
            for way in ("load", "store"):
                visits, sectors, ideal = (figures.get(f"{way}_{what}", 0) for what in ("visits", "sectors", "ideal"))
                in_pieces = SLACK * max(ideal, own.get(line, 0) * visits)
                worth = sectors - ideal > WASTE_SHARE * counts.global_sectors
                if visits >= ENOUGH_REQUESTS and sectors > in_pieces and worth:
                    evidence: dict[str, object] = {"sectors": round(sectors / visits, 1)}
                    yield "triton-uncoalesced", line, {**evidence, "ideal": round(ideal / visits, 1)}


def _starving(trial: Trial) -> Iterator[Advice]:
    """Fewer warps than the card has schedulers, at a size that is timed and in every launch."""
    if not isinstance(trial.plan, CompiledPlan):
        return
    card = default_card()
    schedulers = (card.multiprocessors or 0) * SCHEDULERS
    for bench in trial.problem.bench:
        try:
            launches = trial.plan.launches.at(bench.sizes)
        except DirectiveError:
            continue
        most = max(launches, key=lambda one: math.prod(one.grid) * one.what.num_warps, default=None)
        if most and (warps := math.prod(most.grid) * most.what.num_warps) < schedulers:
            evidence = {
                "programs": math.prod(most.grid), "num_warps": most.what.num_warps, "warps": warps,
                "schedulers": schedulers, "card": card.name, "sizes": listed(bench.sizes),
            }  # fmt: skip
            yield "triton-idle-card", most.line or None, evidence
            return


_ACCESS = re.compile(r"\b(ld|st)\.global\S*?(?:\.v([248]))?\.[a-z](\d+)\s")
_PLACE = re.compile(r"^\s*\.loc\s+\d+\s+(\d+)")


def _crowded(trial: Trial) -> Iterator[Advice]:
    """Blocks that do not fit into the registers of their warps: by what ptxas says, else by what a line loads."""
    for name, module in trial.compiled.modules.items():
        warps = _warps(trial).get(name)
        if warps is None:
            continue
        if module.kernel.spill_bytes:
            yield "triton-few-warps", None, {"kernel": name, "num_warps": warps, "bytes": module.kernel.spill_bytes}
            continue
        line, registers = max(_loaded(module.ptx).items(), key=lambda one: one[1], default=(0, 0))
        if registers > REGISTERS:
            yield "triton-few-warps", line or None, {"kernel": name, "num_warps": warps, "registers": registers}


def _warps(trial: Trial) -> Mapping[str, int]:
    """By kernel as compiled."""
    if not isinstance(trial.plan, CompiledPlan):
        return {}
    return {name: trial.plan.modules[key].num_warps for key, name in trial.plan.names.items()}


def _loaded(ptx: str) -> Mapping[int, int]:
    """Registers that each line loads in one go, for each thread."""
    found = Counter[int]()
    for line, way, count, bits in _accesses(ptx):
        if way == "ld":
            found[line] += max(1, count * bits // WARP)
    return found


def _bytes_of_a_lane(trial: Trial) -> Mapping[int, int]:
    """By line, what a thread moves there in straight code, in whichever form of the kernel it is most."""
    found = Counter[int]()
    for module in trial.compiled.modules.values():
        own = Counter[int]()
        for line, _, count, bits in _accesses(module.ptx):
            own[line] += count * bits // 8
        found |= own
    return found


def _accesses(ptx: str) -> Iterator[tuple[int, str, int, int]]:
    """Of global memory: the line, whether it loads or stores, how many elements of how many bits."""
    line = 0
    for text in ptx.splitlines():
        if place := _PLACE.match(text):
            line = int(place[1])
        elif access := _ACCESS.search(text):
            yield line, access[1], int(access[2] or 1), int(access[3])


def _tuned(trial: Trial, fastest: Trial | None) -> Iterator[Advice]:
    """Which configuration of `@triton.autotune` ran."""
    if not isinstance(trial.plan, CompiledPlan):
        return
    timed = fastest.plan.launches if fastest and isinstance(fastest.plan, CompiledPlan) else None
    chosen = trial.plan.launches
    for bound in chosen.bound:
        function = bound.function
        if not function.configurations:
            continue
        evidence: dict[str, object] = {"kernel": function.name, "count": len(function.configurations)}
        if timed:
            evidence["fastest"] = _written(function.configurations[timed.chosen.get(function.name, 0)])
        else:
            evidence["first"] = _written(function.configurations[chosen.chosen.get(function.name, 0)])
        yield "triton-tuned", function.line, evidence


def _written(one: Configuration) -> str:
    """As the member wrote it."""
    values = {**one.values, "num_warps": one.num_warps, "num_stages": one.num_stages}
    return ", ".join(f"{name}={getattr(value, 'name', value)}" for name, value in values.items())
