"""Problems: `load` a folder of content/problems into frozen data, every mistake named by file and key."""

from worker.problem.loading import load, load_all
from worker.problem.model import (
    VALUE_KINDS,
    Bench,
    Case,
    Check,
    DefaultLaunch,
    Param,
    Problem,
)

__all__ = ["VALUE_KINDS", "Bench", "Case", "Check", "DefaultLaunch", "Param", "Problem", "load", "load_all"]
