"""What the members of one guild do together: a plan, a digest, open questions, who is named.

`Group` is the flow as the faces use it. `weeks` cuts a goal's items into weeks, `due` says what the bot has to post
at a moment, `posts` gives each post to one process; all of it goes by the clock that it is given.
"""

from knowledge.group.due import Due
from knowledge.group.plan import GroupPlan
from knowledge.group.service import DIGEST_CHANNEL, MOST_WEEKS, Answered, Group, OpenQuestion
from knowledge.group.standing import Deed, Solver, WeekStanding

__all__ = [
    "DIGEST_CHANNEL",
    "MOST_WEEKS",
    "Answered",
    "Deed",
    "Due",
    "Group",
    "GroupPlan",
    "OpenQuestion",
    "Solver",
    "WeekStanding",
]
