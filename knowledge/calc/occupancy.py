"""Occupancy with its working: how many blocks each resource would allow, and which one runs out first."""

from __future__ import annotations

from knowledge.calc.intensity import card_named
from knowledge.calc.working import Step, Working
from knowledge.errors import BadInput
from knowledge.words import Message
from worker.hardware.architectures import Architecture, architecture
from worker.hardware.occupancy import WARP_THREADS, Occupancy, occupancy


def kernel_occupancy(
    *, block_threads: int, registers: int, shared_bytes: int = 0, card: str = "NVIDIA H200"
) -> Working:
    facts = card_named(card)
    machine = architecture(facts.arch)
    if machine is None:
        raise BadInput("error.calculation.no_warps", card=facts.name)
    _check("block_threads", block_threads, 1, machine.block_threads)
    _check("registers", registers, 0, machine.thread_registers)
    _check("shared_bytes", shared_bytes, 0, machine.block_shared_bytes)
    found = occupancy(facts.arch, block_threads, registers, shared_bytes)
    return Working(
        Message("title.occupancy", card=facts.name, threads=block_threads, registers=registers, shared=shared_bytes),
        _steps(found, machine, block_threads, registers, shared_bytes),
        Message(
            "conclusion.occupancy",
            warps=found.warps,
            most=machine.warps,
            share=found.share,
            limits=tuple(_resource(name) for name in found.limited_by),
        ),
        {"blocks": found.blocks, "warps": found.warps, "share": found.share, "limited_by": list(found.limited_by)},
    )


def _steps(
    found: Occupancy, machine: Architecture, block_threads: int, registers: int, shared_bytes: int
) -> tuple[Step, ...]:
    block_warps = -(-block_threads // WARP_THREADS)
    formulas = {
        "warps": f"{machine.warps} / {block_warps}",
        "blocks": f"{machine.blocks}",
        "registers": f"{machine.registers} / ({registers} · {WARP_THREADS} → 256) / {block_warps}",
        "shared": f"{machine.shared_bytes} / ({shared_bytes} + {machine.reserved_shared_bytes})",
    }
    allowed = (
        Step(Message("working.blocks", resource=_resource(name)), formulas[name], blocks)
        for name, blocks in found.limits.items()
    )
    return (*allowed, Step(Message("working.resident"), f"{found.blocks} · {block_warps}", found.warps))


def _resource(name: str) -> Message:
    return Message(f"resource_limit.{name}")


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise BadInput("error.calculation.out_of_range", name=name, least=least, most=most, value=value)
