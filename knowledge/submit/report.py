"""What a face shows of a submission: the parts of progress and verdicts, under one roof that faces may import."""

from worker.protocol import (
    Backend,
    CaseResult,
    CompileReport,
    Finding,
    Form,
    Kind,
    Progress,
    Stage,
    Timing,
    Verdict,
    WorkerState,
)

__all__ = [
    "Backend",
    "CaseResult",
    "CompileReport",
    "Finding",
    "Form",
    "Kind",
    "Progress",
    "Stage",
    "Timing",
    "Verdict",
    "WorkerState",
]
