"""An executor that judges nothing: known verdicts at a known pace, to try queues, faces and loads without a card."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from worker.protocol import Backend, Card, Job, Kind, Stage, Verdict
from worker.service import ExecutorFacts, HeldJob, Say

Answer = Callable[[Job], Verdict]

CARD = Card(name="canned", arch="none", driver="none")


def accepted(job: Job) -> Verdict:
    """What a GPU would say of a right kernel, and of anything else that it compiled."""
    kind = Kind.ACCEPTED if job.problem else Kind.COMPILED
    score = 0.5 if job.problem else None
    return Verdict(job.submission, job.form, job.problem, Backend.GPU, kind, card=CARD, score=score)


class CannedExecutor:
    """Goes through the stages like a judge: compiling beside others, then the card alone."""

    def __init__(self, answer: Answer = accepted, compile_s: float = 0.0, card_s: float = 0.0) -> None:
        self._answer = answer
        self._compile_s = compile_s
        self._card_s = card_s

    @property
    def facts(self) -> ExecutorFacts:
        return ExecutorFacts(backends=(Backend.GPU, Backend.EMULATOR, Backend.COMPILE), card=CARD)

    async def judge(self, job: Job, progress: Say, held: HeldJob) -> Verdict:
        await progress(Stage.COMPILING)
        await asyncio.sleep(self._compile_s)
        async with held.card():
            await progress(Stage.CHECKING)
            await asyncio.sleep(self._card_s)
        verdict = self._answer(job)
        stages_ms = {"compile": self._compile_s * 1000, "check": self._card_s * 1000}
        return replace(verdict, submission=job.submission, stages_ms=stages_ms)
