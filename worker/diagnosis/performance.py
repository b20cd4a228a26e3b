"""Advice on speed: from the compiled kernel, the launch and what the emulator counted; what a card could reach."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from worker.compile import Compiled, Kernel
from worker.diagnosis.catalogue import FindingCatalogue
from worker.diagnosis.signature import plain_name
from worker.directives import ConcreteLaunch, Plan
from worker.emulator.request import Counts
from worker.hardware.cards import CardFacts, find_card
from worker.hardware.occupancy import occupancy
from worker.hardware.roofline import Ceilings, position
from worker.problem import Bench, Problem
from worker.protocol import Counted, CountedLaunch, Finding, Prediction

MAX_ADVICE = 6
_COALESCING = frozenset({"uncoalesced", "strided-access"})
LOW_OCCUPANCY = 0.5
SECTORS_WORSE = 1.75
SECTOR_BYTES = 32
SCATTERED_LINES = 6
"""For an access, of 128 bytes each; the widest of a warp takes four."""
WASTE_SHARE = 0.15
"""Of all sectors that the kernel moves: a line that wastes less is not where its time goes."""
CONFLICT_WAYS = 1.25
DIVERGENT_SHARE = 0.25
ACTIVE_SHARE = 0.75
NARROW_BYTES = 4
ENOUGH_REQUESTS = 8
"""Fewer than this many warp accesses on a line say nothing about its pattern."""


def advise(
    catalogue: FindingCatalogue,
    compiled: Compiled,
    plan: Plan | None = None,
    problem: Problem | None = None,
    counted: Mapping[str, Counts] | None = None,
    timed: Sequence[Counted] = (),
) -> tuple[Finding, ...]:
    """Warnings before hints, at most a handful.

    `timed`: what was counted for the sizes that are timed. Small and odd sizes take ways that those do not.
    """
    if not compiled.ok:
        return ()
    found = list(_of_kernels(catalogue, compiled, problem))
    if plan is not None and problem is not None:
        found += _of_launches(catalogue, compiled, plan, problem)
    for counts in (counted or {}).values():
        found += _of_counts(catalogue, counts)
    if timed and not wasteful(timed):
        found = [finding for finding in found if finding.id not in _COALESCING]
    if problem is not None and not _COALESCING & {finding.id for finding in found}:
        found += _of_width(catalogue, compiled, problem)
    distinct: dict[tuple[str, int | None], Finding] = {}
    for finding in found:
        distinct.setdefault((finding.id, finding.line), finding)
    return tuple(sorted(distinct.values(), key=lambda finding: finding.severity != "warning"))[:MAX_ADVICE]


def _of_kernels(catalogue: FindingCatalogue, compiled: Compiled, problem: Problem | None) -> Iterator[Finding]:
    names = {entry: written for written, entry in compiled.entries.items()}
    for kernel in compiled.kernels:
        name, body = names.get(kernel.entry) or plain_name(kernel.entry), _body(compiled.ptx, kernel)
        if kernel.spill_bytes:
            yield catalogue.finding("register-spill", None, kernel=name, bytes=kernel.spill_bytes)
        doubles = len(re.findall(r"^\s*(?:add|sub|mul|fma|div|sqrt|cvt)\.\S*f64", body, re.MULTILINE))
        if doubles and problem and not any(param.ctype == "f64" for param in problem.params):
            yield catalogue.finding("double-precision-used", _line(body, r"\.f64"), kernel=name, count=doubles)
        divisions = len(re.findall(r"^\s*(?:div|rem)\.[su](?:32|64)", body, re.MULTILINE))
        if divisions:
            line = _line(body, r"^\s*(?:div|rem)\.[su](?:32|64)")
            yield catalogue.finding("integer-division", line, kernel=name, count=divisions)
        if problem and any(bench.peak == "half_tensor" for bench in problem.bench) and "mma" not in body:
            yield catalogue.finding("tensor-cores-unused", None, kernel=name)


def _of_launches(catalogue: FindingCatalogue, compiled: Compiled, plan: Plan, problem: Problem) -> Iterator[Finding]:
    """Advise on launches at the first large shape: there occupancy and idle multiprocessors cost time."""
    if not problem.bench:
        return
    card = default_card()
    for launch in plan.resolve(problem.bench[0].sizes).launches:
        blocks = math.prod(launch.grid)
        if 0 < blocks < (card.multiprocessors or 0) and len(plan.launches) == 1:
            evidence = {"blocks": blocks, "multiprocessors": card.multiprocessors or 0, "card": card.name}
            yield catalogue.finding("too-few-blocks", launch.line or None, **evidence)
        if finding := _occupancy(catalogue, compiled, launch):
            yield finding


def _occupancy(catalogue: FindingCatalogue, compiled: Compiled, launch: ConcreteLaunch) -> Finding | None:
    kernel, threads = compiled.kernel(launch.kernel), math.prod(launch.block)
    shared = kernel.shared_bytes + launch.shared_bytes
    resident = occupancy(compiled.arch, threads, kernel.registers, shared)
    if resident.share >= LOW_OCCUPANCY:
        return None
    limiter = resident.limited_by[0]
    amounts = {"shared": f"{shared} B", "registers": str(kernel.registers)}
    amount = amounts.get(limiter, str(threads))
    evidence = {"share": f"{resident.share:.0%}", "limiter": limiter, "amount": amount}
    return catalogue.finding("low-occupancy", launch.line or None, kernel=launch.kernel, **evidence)


def _of_counts(catalogue: FindingCatalogue, counts: Counts) -> Iterator[Finding]:
    for line, figures in sorted(counts.by_line.items()):
        yield from _of_line(catalogue, line, figures, counts.global_sectors)
    divergent = counts.divergent_branches / counts.branches if counts.branches else 0.0
    if divergent > DIVERGENT_SHARE and counts.active_lane_share < ACTIVE_SHARE:
        active = f"{counts.active_lane_share * 32:.0f}"
        yield catalogue.finding("divergence", None, share=f"{divergent:.0%}", active=active)


def wasteful(timed: Sequence[Counted]) -> bool:
    """Say whether a launch at those sizes fetches or stores much that nobody asked for, or scatters its accesses.

    What a block fetches twice it finds in the cache.
    """
    return any(_wastes(launch) for shape in timed for launch in shape.runs[-1].launches)


def _wastes(launch: CountedLaunch) -> bool:
    seen = launch.figures
    fetched = seen.get("block_read_sectors", 0) > SECTORS_WORSE * seen.get("asked_bytes", 0) / SECTOR_BYTES
    stored = seen.get("stored_sectors", 0) > SECTORS_WORSE * sum(launch.written.values())
    return fetched or stored or seen.get("global_lines", 0) > SCATTERED_LINES * seen.get("global_requests", 0)


def _of_line(
    catalogue: FindingCatalogue, line: int, figures: Mapping[str, int], all_sectors: int
) -> Iterator[Finding]:
    for way in ("load", "store"):
        visits, sectors, ideal = (figures.get(f"{way}_{what}", 0) for what in ("visits", "sectors", "ideal"))
        wasted = sectors - ideal
        if visits >= ENOUGH_REQUESTS and sectors > SECTORS_WORSE * ideal and wasted > WASTE_SHARE * all_sectors:
            name = "uncoalesced" if sectors > 4 * ideal else "strided-access"
            yield catalogue.finding(name, line, sectors=round(sectors / visits, 1), ideal=round(ideal / visits, 1))
    shared, passes = figures.get("shared_requests", 0), figures.get("shared_wavefronts", 0)
    if shared >= ENOUGH_REQUESTS and passes > CONFLICT_WAYS * shared:
        yield catalogue.finding("bank-conflict", line, ways=round(passes / shared, 1))


_GLOBAL_ACCESS = re.compile(r"^\s*(?:@\S+\s+)?(?:ld|st)\.global\S*?(?:\.v([24]))?\.[a-z]+(\d+)\s", re.MULTILINE)


def _of_width(catalogue: FindingCatalogue, compiled: Compiled, problem: Problem) -> Iterator[Finding]:
    """Advise wide accesses where bandwidth is the limit and neighbours lie side by side: they save instructions."""
    widths = [int(bits) // 8 * int(count or 1) for count, bits in _GLOBAL_ACCESS.findall(compiled.ptx)]
    bound_by_memory = problem.bench and all(shape.bound == "memory" for shape in predict(problem))
    if widths and bound_by_memory and max(widths) <= NARROW_BYTES:
        yield catalogue.finding("not-vectorised", None, bytes=max(widths))


def _body(ptx: str, kernel: Kernel) -> str:
    """The PTX of one entry."""
    start = ptx.find(f".entry {kernel.entry}(")
    end = ptx.find("\n}", start)
    return ptx[start:end]


def _line(body: str, pattern: str) -> int | None:
    """The source line of the first instruction that fits."""
    match = re.search(pattern, body, re.MULTILINE)
    if match is None:
        return None
    places = re.findall(r"^\s*\.loc\s+1\s+(\d+)", body[: match.start()], re.MULTILINE)
    return int(places[-1]) or None if places else None


DEFAULT_CARD = "NVIDIA H200"

_HALF_RATE = 2
"""half2 arithmetic on the ordinary cores, against float."""


def default_card() -> CardFacts:
    card = find_card(DEFAULT_CARD)
    assert card is not None  # noqa: S101  # a row of our own table
    return card


def ceilings(card: CardFacts, bench: Bench) -> Ceilings:
    """Bandwidth, and the arithmetic rate that bounds this shape, of a card whose bandwidth is known."""
    assert card.bandwidth_gb_per_s is not None  # noqa: S101  # a row of our own table
    rates = {
        "float": card.tflops["fp32"],
        "double": card.tflops.get("fp64", card.tflops["fp32"] / 64),
        "half": card.tflops["fp32"] * _HALF_RATE,
        "half_tensor": card.tflops.get("fp16", card.tflops["fp32"]),
        "int8_tensor": card.tflops.get("int8", card.tflops.get("fp16", card.tflops["fp32"])),
    }
    return Ceilings(card.bandwidth_gb_per_s, rates[bench.peak] * 1e3)


def predict(problem: Problem) -> tuple[Prediction, ...]:
    """Predictions for each large shape by the datasheet's roofline, never a measurement."""
    card = default_card()
    return tuple(_prediction(bench, card) for bench in problem.bench)


def _prediction(bench: Bench, card: CardFacts) -> Prediction:
    flops, moved = bench.flops.value(bench.sizes), bench.bytes.value(bench.sizes)
    best = position(flops, moved, ceilings(card, bench))
    return Prediction(card.name, dict(bench.sizes), best.bound, round(best.attainable_us, 3))
