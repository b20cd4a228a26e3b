"""What runs of a source that was written for elsewhere, the same for a submission and for a try."""

from __future__ import annotations

from worker.diagnosis import FindingCatalogue
from worker.diagnosis.pastes import adapted_paste, told_paste
from worker.pastes import Told, look_at
from worker.problem import Problem
from worker.protocol import Finding


def after_paste(source: str, problem: Problem, catalogue: FindingCatalogue) -> tuple[str | None, tuple[Finding, ...]]:
    """What runs, and what there is to say of it. No finding: the source as it stands; no source: nothing runs."""
    pasted = look_at(source, problem)
    if pasted is None:
        return source, ()
    if isinstance(pasted, Told):
        return None, (told_paste(catalogue, pasted),)
    return pasted.source, (adapted_paste(catalogue, pasted),)
