"""Plans: weeks of readings, problems and review questions that lead a member to a goal.

`Plans` and `Reviews` are the flows as the faces use them. Beneath them everything is pure: a `Goal`, the items that
lead to it (`curriculum`), the weeks that they fill (`weeks`), the days of its questions (`review_schedule`).
A plan is stored as the list of its items and nothing else: its weeks are computed from today and from what the member
has read and solved, so that what was not done moves on by itself.
"""

from knowledge.plans.goal import Goal, GoalKind, goal_named, goals
from knowledge.plans.questions import Question
from knowledge.plans.review_schedule import INTERVALS_DAYS
from knowledge.plans.reviews import Reviews
from knowledge.plans.service import Plans
from knowledge.plans.view import Plan, PlannedWeek

__all__ = [
    "INTERVALS_DAYS",
    "Goal",
    "GoalKind",
    "Plan",
    "PlannedWeek",
    "Plans",
    "Question",
    "Reviews",
    "goal_named",
    "goals",
]
