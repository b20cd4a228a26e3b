"""Practice beside the judge: hints, the worked explanation, and what comes after an accepted kernel."""

from knowledge.practice.after_accepted import AfterAccepted
from knowledge.practice.next_problem import NextProblem
from knowledge.practice.problem_help import Editorial, HintsOpened, MeasuredStep, ShapeFigures
from knowledge.practice.service import Practice
from knowledge.practice.streaks import SolvedLately, Streak

__all__ = [
    "AfterAccepted",
    "Editorial",
    "HintsOpened",
    "MeasuredStep",
    "NextProblem",
    "Practice",
    "ShapeFigures",
    "SolvedLately",
    "Streak",
]
