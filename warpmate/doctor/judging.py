"""What judges kernels: the sandbox, the compiler in it, the card, and the broker that leads to other workers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from warpmate.doctor.diagnosis import Diagnosis
from warpmate.settings import Settings
from warpmate.wiring.compiler import open_compiler
from warpmate.wiring.submit import card_name, sandbox_name
from worker.errors import SandboxMissing
from worker.hardware.driver_files import driver_folders

_ANSWERS_WITHIN_S = 10
_KERNEL = "__global__ void doctor(float* out) { out[threadIdx.x] = 1.0f; }\n"


async def sandbox(_settings: Settings) -> Sequence[Diagnosis]:
    try:
        found = await asyncio.to_thread(sandbox_name)
    except SandboxMissing as error:
        return [Diagnosis("sandbox", "bad", "none works here, so no kernel is compiled", str(error))]
    if found != "bubblewrap":
        return [Diagnosis("sandbox", "warn", found, "install bubblewrap: members' whole programs need it")]
    return [Diagnosis("sandbox", "ok", found)]


async def compiler(settings: Settings) -> Sequence[Diagnosis]:
    """Compile a kernel that nobody compiled before, so that no cache answers."""
    async with open_compiler(settings) as nvrtc:
        seen = await nvrtc.compile("doctor", f"{_KERNEL}// {time.time_ns()}\n")
    if not seen.ok:
        return [Diagnosis("compiler", "bad", f"{nvrtc.name}: {seen.verdict}", "install warpmate anew")]
    return [Diagnosis("compiler", "ok", f"{nvrtc.name} compiles in the sandbox")]


async def card(settings: Settings) -> Sequence[Diagnosis]:
    wanted = settings.judge_backend
    if wanted in {"emulator", "compile"}:
        return [Diagnosis("card", "off", f"not asked for: WARPMATE_JUDGE_BACKEND={wanted}")]
    if not driver_folders():
        advice = "docs/operations.md, “A GPU worker”, has what a card needs"
        if wanted == "gpu":
            return [Diagnosis("card", "bad", "WARPMATE_JUDGE_BACKEND=gpu, and there is none", advice)]
        return [Diagnosis("card", "off", "none here; the emulator checks kernels", advice)]
    return [Diagnosis("card", "ok", await asyncio.to_thread(card_name, settings))]


async def broker(settings: Settings) -> Sequence[Diagnosis]:
    from worker.queue.streams import open_streams

    if not settings.redis_url:
        advice = "WARPMATE_REDIS_URL brings in workers on other hosts"
        return [Diagnosis("broker", "off", "jobs stay in one process", advice)]
    queue = open_streams(settings.redis_url)
    try:
        async with asyncio.timeout(_ANSWERS_WITHIN_S):
            workers = await queue.workers()
    finally:
        await queue.close()
    if workers:
        names = ", ".join(worker.name for worker in workers)
        return [Diagnosis("broker", "ok", f"it answers; workers: {names}")]
    return [Diagnosis("broker", "warn", "it answers; no worker is there", "start one on any host: warpmate worker")]
