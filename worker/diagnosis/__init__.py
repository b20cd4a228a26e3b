"""From what was seen to what a learner can do about it: findings with a stable id, a line and a sentence."""

from worker.diagnosis.catalogue import FindingCatalogue
from worker.diagnosis.compile_errors import explain, readable_log

__all__ = ["FindingCatalogue", "explain", "readable_log"]
