"""Submit: what a member hands in becomes a row, then a job, then exactly one verdict.

`Submissions` is the flow as the faces use it; `Collector` runs beside them and turns workers' reports into
committed verdicts; `Boards` reads the leaderboards; `Shares` says who may look at a submission; `Replies` knows
which verdicts a face has yet to show. The row is written first and the broker only delivers, so that a crash of
any part costs time and never a submission.
"""

from knowledge.submit.boards import Boards, Entry, Standing
from knowledge.submit.collector import Collector
from knowledge.submit.form import Limits
from knowledge.submit.notices import Notices
from knowledge.submit.replies import Owed, Replies
from knowledge.submit.service import HandIn, Owned, Submissions
from knowledge.submit.sharing import Seen, Shares

__all__ = [
    "Boards",
    "Collector",
    "Entry",
    "HandIn",
    "Limits",
    "Notices",
    "Owed",
    "Owned",
    "Replies",
    "Seen",
    "Shares",
    "Standing",
    "Submissions",
]
