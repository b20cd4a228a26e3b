"""What the right answer is and how near an answer has to be: inputs, float64 reference, tolerance, comparison."""

from worker.oracle.compare import Comparison, compare
from worker.oracle.reference import Expected, Inputs, Oracle
from worker.oracle.tolerance import bound, growth_any_order, growth_random

__all__ = ["Comparison", "Expected", "Inputs", "Oracle", "bound", "compare", "growth_any_order", "growth_random"]
