"""A Triton submission on its way to a trial: described, bound, compiled for every shape; or what is wrong with it."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from worker.compile import Compiled, OwnModule
from worker.compile.resources import kernels
from worker.diagnosis import FindingCatalogue
from worker.directives import Buffer
from worker.hardware.architectures import architecture
from worker.hardware.occupancy import MAX_SHARED_BYTES
from worker.messages import Message, message
from worker.problem import Problem
from worker.protocol import Finding
from worker.triton.assemble import Assembled, Assembler
from worker.triton.binding import bind
from worker.triton.compiler import LANES, Session, TritonCompiler
from worker.triton.explain import explain
from worker.triton.launches import read_directives
from worker.triton.plan import CompiledPlan, Launches, Pending, key_of, labels
from worker.triton.sight import Far, Sight
from worker.triton.wire import Described, Launched, Module, Specialisation, Trouble

ADDED_BY_TRITON = 2
"""Pointers behind a kernel's own arguments: global scratch, and the profiler's."""

MAX_OWN_SCRATCH_BYTES = 64 << 20
"""Of the memory that Triton adds, over all programs of a launch."""

EMULATED = 80
"""The compute capability that the emulator gets: for a newer one Triton writes instructions that need the card."""

_LOOP = re.compile(r"^\s*(?:for|while)\b", re.MULTILINE)

_REDUCTION = re.compile(
    r"\.(?:sum|max|min|argmax|argmin|dot|dot_scaled|cumsum|cumprod|xor_sum|reduce|associative_scan|sort|softmax)\("
)

MAX_TIMED_CONFIGURATIONS = 8
"""That a card tries of `@triton.autotune`; the others are left out."""


@dataclass(frozen=True, slots=True)
class Side:
    """Everything that the emulator launches, or the card."""

    compiled: Compiled
    plan: CompiledPlan


@dataclass(frozen=True, slots=True)
class Prepared:
    emulated: Side
    on_card: tuple[Side, ...]
    """With a card: the first with every shape, and one more for each further configuration, with the timed shapes."""
    sight: Sight


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why there is nothing to run."""

    compiled: Compiled
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Failure(Exception):
    """What of it did not compile, and for which shape."""

    reply: Trouble | Message | Assembled
    sizes: Mapping[str, int] | None = None


async def prepare(
    source: str, problem: Problem, triton: TritonCompiler, catalogue: FindingCatalogue, arch: str, *, card: bool
) -> Prepared | Stopped:
    """Everything that is launched, on the emulator and on the card if there is one.

    DirectiveError for a launch line that is wrong.
    """
    directives = read_directives(source, problem)
    with triton.open() as session:
        described = await asyncio.to_thread(session.describe, source)
        if not isinstance(described, Described):
            return _stopped(catalogue, source, _Failure(described), arch)
        bound = tuple(bind(line, described.functions) for line in directives.launches)
        launches = Launches(problem, directives, bound)
        for bench in problem.bench:
            launches.at(bench.sizes), launches.scratch_at(bench.sizes)
        far = await asyncio.to_thread(_too_far, session, source, launches)
        making = _Making(session, source, arch, triton.assembler)
        try:
            launches, emulated = await asyncio.to_thread(making.for_the_emulator, launches)
            on_card = await asyncio.to_thread(making.for_the_card, launches) if card else ()
        except _Failure as failure:
            return _stopped(catalogue, source, failure, arch)
    return Prepared(emulated, on_card, _sight(source, described, far))


async def look_at(
    source: str, triton: TritonCompiler, catalogue: FindingCatalogue, arch: str
) -> tuple[Compiled, tuple[Finding, ...]]:
    """A file without a problem: what is wrong with it as Python, if anything is."""
    with triton.open() as session:
        described = await asyncio.to_thread(session.describe, source)
    if isinstance(described, Described):
        return Compiled(True, "", session.cached, 0.0, arch), ()
    stopped = _stopped(catalogue, source, _Failure(described), arch)
    return stopped.compiled, stopped.findings


def _sight(source: str, described: Described, far: tuple[Far, ...]) -> Sight:
    loops, reduces = bool(_LOOP.search(source)), bool(_REDUCTION.search(source))
    return Sight(described.masked, described.noted, far, loops, reduces)


def _too_far(session: Session, source: str, launches: Launches) -> tuple[Far, ...]:
    """Offsets that outgrow 32 bits at the sizes that are timed, where no small case comes."""
    timed = [(one, bench.sizes) for bench in launches.problem.bench for one in launches.at(bench.sizes)]
    timed = [(one, sizes) for one, sizes in timed if 0 not in one.grid]
    found = session.overflows(source, [_launched(one) for one, _ in timed]) if timed else ()
    return tuple(Far(one.line, one.farthest, timed[one.launch][1]) for one in found)


def _launched(one: Pending) -> Launched:
    constants = dict(one.what.constants)
    passed = dict(zip((name for name, _ in one.what.signature if name not in constants), one.args, strict=True))
    whole = {name: value for name, value in constants.items() if type(value) is int}
    numbers = {name: value for name, value in passed.items() if isinstance(value, int)}
    arrays = {name for name, value in passed.items() if isinstance(value, Buffer)}
    unknown = tuple(name for name, _ in one.what.signature if name not in {*whole, *numbers, *arrays})
    return Launched(one.what.kernel, one.grid, whole, numbers, unknown)


Shapes = Sequence[Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class _Making:
    """One submission's modules."""

    session: Session
    source: str
    arch: str
    assembler: Assembler

    def for_the_emulator(self, launches: Launches) -> tuple[Launches, Side]:
        """The small cases, with the first configuration that compiles and fits; _Failure where none does."""
        shapes = [case.sizes for case in launches.problem.cases()]
        while True:
            try:
                return launches, self._side(launches, shapes, EMULATED, assemble=False)
            except _Failure as failure:
                following = _next_configuration(launches, failure)
                if following is None:
                    raise
                launches = following

    def for_the_card(self, first: Launches) -> tuple[Side, ...]:
        """The first configuration for every shape, the others, where they fit, for the timed ones."""
        timed = [bench.sizes for bench in first.problem.bench]
        shapes = [*(case.sizes for case in first.problem.cases()), *timed]
        sides = [self._side(first, shapes, self._capability, assemble=True)]
        for chosen in _configurations(first):
            try:
                other = dataclasses.replace(first, chosen=chosen)
                sides.append(self._side(other, timed, self._capability, assemble=True))
            except _Failure:
                continue
        return tuple(sides)

    @property
    def _capability(self) -> int:
        return int(re.sub(r"\D", "", self.arch))

    def _side(self, launches: Launches, shapes: Shapes, capability: int, *, assemble: bool) -> Side:
        wanted = _wanted(launches, shapes)
        limit = self._shared_limit if assemble else MAX_SHARED_BYTES
        replies = self.session.compile(self.source, [what for what, _ in wanted], capability)
        modules: dict[str, Module] = {}
        for (what, sizes), reply in zip(wanted, replies, strict=False):
            if not isinstance(reply, Module):
                raise _Failure(reply, sizes)
            if reply.shared_bytes > limit:
                raise _Failure(message("triton.too-much-shared", bytes=reply.shared_bytes, limit=limit), sizes)
            modules[key_of(what)] = reply
        names = labels([what for what, _ in wanted])
        own = self._own(modules, names, capability, assemble=assemble)
        plan = CompiledPlan(launches, modules, names, {name: len(one.kernel.params) for name, one in own.items()})
        _check(plan, shapes, own)
        ms = sum(module.ms for module in modules.values())
        entries = {name: one.kernel.entry for name, one in own.items()}
        return Side(Compiled(True, "", self.session.cached, ms, self.arch, entries=entries, modules=own), plan)

    @property
    def _shared_limit(self) -> int:
        machine = architecture(self.arch)
        return machine.block_shared_bytes if machine else MAX_SHARED_BYTES

    def _own(
        self, modules: Mapping[str, Module], names: Mapping[str, str], capability: int, *, assemble: bool
    ) -> dict[str, OwnModule]:
        """Each module with what its PTX declares, and for a card its cubin and what it uses."""
        built: Iterable[Assembled | Message] = [Assembled(b"", "")] * len(modules)
        if assemble:
            with ThreadPoolExecutor(LANES) as side_by_side:
                texts = [module.ptx for module in modules.values()]
                built = list(side_by_side.map(lambda ptx: self.assembler.assemble(ptx, self.arch, capability), texts))
        own: dict[str, OwnModule] = {}
        for (key, module), reply in zip(modules.items(), built, strict=True):
            if isinstance(reply, Message) or (assemble and not reply.cubin):
                raise _Failure(reply)
            kernel = next((one for one in kernels(module.ptx, reply.log) if one.entry == module.entry), None)
            if kernel is None:
                raise _Failure(message("triton.odd-module"))
            own[names[key]] = OwnModule(module.ptx, kernel, reply.cubin)
        return own


def _wanted(launches: Launches, shapes: Shapes) -> list[tuple[Specialisation, Mapping[str, int]]]:
    """Each specialisation that is launched for these shapes, with the first that does."""
    found: dict[str, tuple[Specialisation, Mapping[str, int]]] = {}
    for sizes in shapes:
        launches.scratch_at(sizes)
        for one in launches.at(sizes):
            if 0 not in one.grid:
                found.setdefault(key_of(one.what), (one.what, sizes))
    return list(found.values())


def _next_configuration(launches: Launches, failure: _Failure) -> Launches | None:
    """The next of the kernels that are tuned; None where all were tried."""
    tuned = {one.function.name: len(one.function.configurations) for one in launches.bound}
    for kernel, count in tuned.items():
        if (tried := launches.chosen.get(kernel, 0) + 1) < count:
            return dataclasses.replace(launches, chosen={**launches.chosen, kernel: tried})
    return None


def _configurations(launches: Launches) -> list[dict[str, int]]:
    """What else a card may try: the configurations behind the first that fits, of all tuned kernels together."""
    tuned = {one.function.name: len(one.function.configurations) for one in launches.bound}
    first = {kernel: launches.chosen.get(kernel, 0) for kernel in tuned}
    left = max((count - first[kernel] for kernel, count in tuned.items()), default=0)
    return [
        {kernel: min(first[kernel] + step, max(count - 1, 0)) for kernel, count in tuned.items()}
        for step in range(1, min(MAX_TIMED_CONFIGURATIONS, left))
    ]


def _check(plan: CompiledPlan, shapes: Shapes, own: Mapping[str, OwnModule]) -> None:
    """_Failure unless every kernel takes what is launched: a member's code wrote the PTX."""
    for sizes in shapes:
        for one in plan.launches.at(sizes):
            if 0 in one.grid:
                continue
            added = len(own[plan.names[key_of(one.what)]].kernel.params) - len(one.args)
            if not 0 <= added <= ADDED_BY_TRITON:
                raise _Failure(message("triton.odd-module"))
        if (wanted := plan.own_scratch_bytes(sizes)) > MAX_OWN_SCRATCH_BYTES:
            raise _Failure(message("triton.too-much-scratch", bytes=wanted, limit=MAX_OWN_SCRATCH_BYTES), sizes)


def _stopped(catalogue: FindingCatalogue, source: str, failure: _Failure, arch: str) -> Stopped:
    reply = failure.reply
    if isinstance(reply, Assembled):
        found = (catalogue.finding("inline-assembly", None, message=reply.log),)
        return Stopped(Compiled(False, reply.log, False, 0.0, arch), found)
    log = f"{reply.error}: {reply.text}" if isinstance(reply, Trouble) else ""
    return Stopped(Compiled(False, log, False, 0.0, arch), explain(catalogue, reply, source, failure.sizes))
