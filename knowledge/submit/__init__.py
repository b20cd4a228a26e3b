"""Submit: what a member hands in becomes a row, then a job, then exactly one verdict.

`Submissions` is the flow as the faces use it; `Collector` runs beside them and turns workers' reports into
committed verdicts; `Boards` reads the leaderboards; `Shares` says who may look at a submission. The row is written
first and the broker only delivers, so that a crash of any part costs time and never a submission.

The shapes that cross the broker are offered here too, so that faces need not import from the worker.
"""

from knowledge.submit.collector import Collector
from knowledge.submit.form import Limits
from knowledge.submit.leaderboards import Boards, Entry, Standing
from knowledge.submit.progress_events import ProgressEvents
from knowledge.submit.service import HandIn, Owned, Submissions, verdict_owed
from knowledge.submit.sharing import Shares, VisibleSubmission
from knowledge.submit.try_request import TryRequest, asked_try, element_of, inputs_of, sizes_of
from worker.language import ending, is_triton
from worker.protocol import Access, Backend, Form, Kind, Progress, Stage, Tried, Try, Verdict, WorkerState

__all__ = [
    "Access",
    "Backend",
    "Boards",
    "Collector",
    "Entry",
    "Form",
    "HandIn",
    "Kind",
    "Limits",
    "Owned",
    "Progress",
    "ProgressEvents",
    "Shares",
    "Stage",
    "Standing",
    "Submissions",
    "Tried",
    "Try",
    "TryRequest",
    "Verdict",
    "VisibleSubmission",
    "WorkerState",
    "asked_try",
    "element_of",
    "ending",
    "inputs_of",
    "is_triton",
    "sizes_of",
    "verdict_owed",
]
