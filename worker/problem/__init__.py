"""Problems: `load` a folder of content/problems into frozen data, every mistake named by file and key."""

from worker.problem.model import (
    VALUE_KINDS,
    Bench,
    Case,
    Check,
    DefaultLaunch,
    Param,
    Problem,
)
from worker.problem.reading import load, load_all

__all__ = ["VALUE_KINDS", "Bench", "Case", "Check", "DefaultLaunch", "Param", "Problem", "load", "load_all"]
