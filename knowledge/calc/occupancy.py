"""Occupancy with its working: how many blocks each resource would allow, and which one runs out first."""

from __future__ import annotations

from knowledge.calc.intensity import card_named
from knowledge.calc.working import Step, Working
from knowledge.errors import BadInput
from worker.hardware.occupancy import MULTIPROCESSORS, Occupancy, occupancy

_NAMES = {
    "warps": ("warp slots", "线程束槽位"),
    "blocks": ("block slots", "线程块槽位"),
    "registers": ("registers", "寄存器"),
    "shared": ("shared memory", "共享内存"),
}


def kernel_occupancy(
    *, block_threads: int, registers: int, shared_bytes: int = 0, card: str = "NVIDIA H200"
) -> Working:
    facts = card_named(card)
    try:
        found = occupancy(facts.arch, block_threads, registers, shared_bytes)
    except ValueError as error:
        raise BadInput(str(error), f"这样的启动不成立：{error}") from error
    machine = MULTIPROCESSORS[facts.arch]
    block_warps = -(-block_threads // 32)
    formulas = {
        "warps": f"{machine.warps} / {block_warps}",
        "blocks": f"{machine.blocks}",
        "registers": f"{machine.registers} / ({registers} · 32 → 256) / {block_warps}",
        "shared": f"{machine.shared_bytes} / ({shared_bytes} + {machine.reserved_shared_bytes})",
    }
    steps = tuple(
        Step(f"blocks that {_NAMES[name][0]} allow", f"{_NAMES[name][1]}允许的线程块数", formulas[name], allowed)
        for name, allowed in found.limits.items()
    )
    resident = Step("resident warps", "驻留的线程束", f"{found.blocks} · {block_warps}", found.warps)
    return Working(
        f"occupancy on {facts.name}: {block_threads} threads, {registers} registers, {shared_bytes} B shared",
        f"在 {facts.name} 上的占用率：{block_threads} 线程，{registers} 个寄存器，{shared_bytes} B 共享内存",
        (*steps, resident),
        _conclusion(found, "en", machine.warps),
        _conclusion(found, "zh", machine.warps),
        {"blocks": found.blocks, "warps": found.warps, "share": found.share, "limited_by": list(found.limited_by)},
    )


def _conclusion(found: Occupancy, lang: str, most: int) -> str:
    at = 1 if lang == "zh" else 0
    named = ("、" if lang == "zh" else " and ").join(_NAMES[name][at] for name in found.limited_by)
    if lang == "zh":
        return f"{found.warps}/{most} 个线程束驻留（{found.share:.0%}），限制因素：{named}。"
    return f"{found.warps} of {most} warps are resident ({found.share:.0%}); limited by {named}."
